import type { KnownReadings } from '../readings/chart/history';
import type { SensorSummary } from '../readings/reading';

/** The readings of one sensor that the server renders a page with. The page fetches the rest of the history afterwards. */
export interface InitialReadings extends KnownReadings {
  sensor: string;
  /** True if the address names the sensor. Otherwise a page without a reading shows the first sensor that has one. */
  isChosen?: boolean;
  /** The most recent first, at most `MAX_SENSORS`. */
  sensors: SensorSummary[];
  /** The server's clock when it rendered the page, in milliseconds. */
  serverTime: number;
  /** How far the clock that times the readings is ahead of the server's, in milliseconds, if it is another one. */
  clockLeadMs?: number;
  /** True if the page gets no stored readings and shows only those stored from now on. */
  startsEmpty?: boolean;
}
