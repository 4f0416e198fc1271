/** The state of the page's live feed. `since` is the viewer's time of day in milliseconds. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'disconnected'; since: number; reason?: string };
