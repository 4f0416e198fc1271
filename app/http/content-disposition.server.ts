/**
 * Returns a `Content-Disposition` that saves the response under a name (RFC 6266). Characters that a file system
 * refuses, or that are invisible, become `_`; for clients that only know ASCII, all others beyond it as well.
 */
export function attachment(fileName: string): string {
  const safe = fileName.replace(/[/\\:*?"<>|%\p{C}]/gu, '_');
  const ascii = safe.replace(/[^ -~]/gu, '_');
  return `attachment; filename="${ascii}"${ascii === safe ? '' : `; filename*=UTF-8''${encodeValue(safe)}`}`;
}

/** Encodes text as an `ext-value` of RFC 8187, which allows fewer characters than `encodeURIComponent` leaves. */
function encodeValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
