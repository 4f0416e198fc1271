/** The store can't be reached or can't write now; the message says why, for the person at the other end. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(
    message: string,
    /** When to try again. */
    readonly retryAfterSeconds: number = 5,
    /** Whether a reading that was to be stored may be, all the same: sent again, it could be there twice. */
    readonly mayBeStored: boolean = false,
  ) {
    super(message);
  }
}
