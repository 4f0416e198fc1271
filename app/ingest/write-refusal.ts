/** The response to a refused write: HTTP status, reason, and headers. */
export interface WriteRefusal {
  status: number;
  detail: string;
  headers?: Record<string, string>;
}
