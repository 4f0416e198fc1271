import type { KnownReadings } from '../readings/history';

/** What the server renders a page with. The page fetches the rest of the history afterwards. */
export interface InitialReadings extends KnownReadings {
  /** The server's clock when it rendered the page, in milliseconds. */
  serverTime: number;
  /** True if the page gets no stored readings and shows only those stored from now on. */
  startsEmpty?: boolean;
}
