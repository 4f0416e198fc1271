/**
 * Returns true if a page of another origin shows this page in a frame, at any depth. Such a page could lay its own
 * texts over a button, so nothing may be written from here.
 */
export function isInForeignFrame(): boolean {
  // On the server.
  if (typeof window === 'undefined') return false;
  try {
    // The browser denies access to a window of another origin.
    for (let frame: Window = window; frame !== frame.parent; frame = frame.parent)
      if (!frame.parent.location.href) return true;
    return false;
  } catch {
    return true;
  }
}
