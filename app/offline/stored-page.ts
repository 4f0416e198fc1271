/**
 * The time when the server sent this document, in milliseconds since 1970, if the service worker stored it; else null.
 */
export const STORED_AT: number | null =
  typeof document === 'undefined' ? null : Number(document.documentElement.dataset.storedAt) || null;

/** Returns the age of a stored document in milliseconds. */
export function storedForMs(): number {
  // If the clock was set back, readings would otherwise look newer than they are.
  return STORED_AT ? Math.max(0, Date.now() - STORED_AT) : 0;
}

/** Reloads a stored page as soon as the server answers, because it may be from another build or have other settings. */
export function leaveStoredPage(): void {
  if (STORED_AT) location.reload();
}
