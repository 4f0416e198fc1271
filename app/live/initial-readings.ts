import type { KnownReadings } from '../readings/chart/history';
import type { SensorSummary } from '../readings/reading';

/**
 * One sensor's readings in the document that the server renders. The page fetches the rest of the history afterwards.
 */
export interface InitialReadings extends KnownReadings {
  sensor: string;
  /**
   * True if the address names the sensor. If not, and the sensor has no reading, the page shows the first sensor that
   * has one.
   */
  isChosen?: boolean;
  /** Most recent first, at most `MAX_SENSORS`. */
  sensors: SensorSummary[];
  /** The server's clock when it rendered the page, in milliseconds. */
  serverTime: number;
  /**
   * The milliseconds by which the clock that times the readings is ahead of the server's; undefined if it is the same
   * clock.
   */
  clockLeadMs?: number;
  /** True if the page gets no stored readings and shows only those stored after it was opened. */
  startsEmpty?: boolean;
}
