/**
 * The state of the page's live feed. `since` is the viewer's time of day in milliseconds. A live page has a `reason` if
 * the older part of its history can't be fetched.
 */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live'; reason?: string }
  | { state: 'disconnected'; since: number; reason?: string };

/** Returns true if something keeps the page from what it lacks. */
export function isImpaired(connection: Connection): boolean {
  return connection.state === 'disconnected' || (connection.state === 'live' && !!connection.reason);
}
