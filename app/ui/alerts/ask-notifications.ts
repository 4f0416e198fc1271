/** The answer of `/api/notifications`. */
export type NotificationsAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; isKeyRejected: boolean; detail: string };

/** Tests take up to 10 s each for an address that doesn't answer. */
const TIMEOUT_MS = 30_000;

/**
 * Gets the report, or posts a test. Never rejects.
 *
 * @param writeKey the server's `WRITE_KEY`, or null if it has none
 */
export async function askNotifications<T>(
  method: 'GET' | 'POST',
  writeKey: string | null,
): Promise<NotificationsAnswer<T>> {
  // A header can't carry other characters, so no server has such a key.
  if (writeKey && !/^[!-~]+$/.test(writeKey)) return { ok: false, isKeyRejected: true, detail: '' };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch('/api/notifications', {
      method,
      headers: writeKey ? { Authorization: `Bearer ${writeKey}` } : {},
      signal: timeout.signal,
    });
    const body = await response.json();
    if (response.ok) return { ok: true, value: body };
    const detail = body.detail ?? `The server answered with status ${response.status}.`;
    return { ok: false, isKeyRejected: response.status === 401, detail };
  } catch {
    return { ok: false, isKeyRejected: false, detail: "The server can't be reached." };
  } finally {
    clearTimeout(timer);
  }
}
