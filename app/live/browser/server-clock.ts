/**
 * Relates the server's clock to the viewer's: the server's showed `serverTime` when the viewer's showed
 * `viewerTime`, both in milliseconds. The viewer's clock is `performance.now()`, because the time of day can be
 * set while the page is open.
 */
export interface ServerClock {
  serverTime: number;
  /** Null on the server and until the page has read the viewer's clock. */
  viewerTime: number | null;
}

/**
 * Returns the server's time in milliseconds. Ages are measured against it because the viewer's clock may be wrong.
 *
 * @param now the viewer's clock; null if it hasn't been read yet
 */
export function serverTimeAt({ serverTime, viewerTime }: ServerClock, now: number | null): number {
  return now === null || viewerTime === null ? serverTime : serverTime + now - viewerTime;
}
