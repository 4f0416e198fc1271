import type { KnownReadings } from '../readings/history';
import type { SensorSummary } from '../readings/reading';

/** What the server renders a page with. The page fetches the rest of the history afterwards. */
export interface InitialReadings extends KnownReadings {
  /** The sensor whose readings these are. */
  sensor: string;
  /** Every sensor, newest heard first, at most 100. */
  sensors: SensorSummary[];
  /** The server's clock when it rendered the page, in milliseconds. */
  serverTime: number;
  /** True if the page gets no stored readings and shows only those stored from now on. */
  startsEmpty?: boolean;
}
