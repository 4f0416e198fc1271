/**
 * Relates the server's clock to the viewer's: the server's showed `serverTime` when the viewer's showed
 * `viewerTime`, both in milliseconds. The viewer's clock is `performance.now()`, because the time of day can be
 * set while the page is open.
 */
export interface ServerClock {
  serverTime: number;
  viewerTime: number;
}

/**
 * Returns the server's time in milliseconds. Ages are measured against it because the viewer's clock may be wrong.
 *
 * @param now the viewer's clock; null on the server and for the first render, which must not differ
 */
export function serverTimeAt({ serverTime, viewerTime }: ServerClock, now: number | null): number {
  return now === null ? serverTime : serverTime + now - viewerTime;
}
