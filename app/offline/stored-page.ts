/**
 * The time of day, in milliseconds, at which the server sent this document, if the service worker has kept it since
 * (`offline-worker.ts`); null if it comes from the server.
 */
export const STORED_AT: number | null =
  typeof document === 'undefined' ? null : Number(document.documentElement.dataset.storedAt) || null;

/** Returns for how many milliseconds this document was kept. */
export function storedForMs(): number {
  // A clock that was set back would make readings newer than they are.
  return STORED_AT ? Math.max(0, Date.now() - STORED_AT) : 0;
}

/** Asks for the page again as soon as the server answers: a stored one may be of another build or with other settings. */
export function leaveStoredPage(): void {
  if (STORED_AT) location.reload();
}
