/** The store can't be reached or can't write now; the message says why, for the person at the other end. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(
    message: string,
    /** When to try again. */
    readonly retryAfterSeconds: number = 5,
  ) {
    super(message);
  }
}
