/** When the server sent this document, in milliseconds since 1970, if the service worker stored it; else null. */
export const STORED_AT: number | null =
  typeof document === 'undefined' ? null : Number(document.documentElement.dataset.storedAt) || null;

/** Returns the age of a stored document in milliseconds. */
export function storedForMs(): number {
  // A clock that was set back would make readings newer than they are.
  return STORED_AT ? Math.max(0, Date.now() - STORED_AT) : 0;
}

/** Asks for the page again as soon as the server answers: a stored one may be of another build or with other settings. */
export function leaveStoredPage(): void {
  if (STORED_AT) location.reload();
}
