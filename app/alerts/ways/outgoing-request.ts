/** A POST of JSON that tells an event. */
export interface OutgoingRequest {
  /** May have a user and a password, which are sent as Basic authentication. */
  url: URL;
  body: unknown;
  headers?: Record<string, string>;
}
