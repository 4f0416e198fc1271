import { type Reading, type SensorSummary, sensorOf, UNNAMED } from './reading';

/** A page's content: the readings of one sensor, and all sensors that are known. */
export interface ShownSensor {
  /** The name of the sensor whose readings are shown. */
  sensor: string;
  sensors: readonly SensorSummary[];
}

/** The sensors that a request for a page names; the empty name is the unnamed sensor's. */
export interface AskedSensor {
  /** The one in the address, `?sensor=`; it may have no reading yet. */
  chosen?: string;
  /** The one that this browser showed last, from its cookie; ignored if it has no reading. */
  remembered?: string;
}

/** Returns the readings of each sensor, in their order. */
export function groupBySensor(readings: readonly Reading[]): Map<string, Reading[]> {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const group = groups.get(sensorOf(reading));
    if (group) group.push(reading);
    else groups.set(sensorOf(reading), [reading]);
  }
  return groups;
}

/** Returns what pages call a sensor. */
export function sensorLabel(name: string): string {
  return name || 'Unnamed sensor';
}

/** Returns what a page calls its sensor; null if there is nothing to tell it from, because no sensor has a name. */
export function mentionedSensor({ sensor, sensors }: ShownSensor): string | null {
  const isOnly = sensor === UNNAMED && sensors.every(({ name }) => name === UNNAMED);
  return isOnly ? null : sensorLabel(sensor);
}

/** Returns ` of Bedroom`, ` of the unnamed sensor`, or nothing where a page doesn't mention its sensor. */
export function ofSensor(shown: ShownSensor): string {
  return mentionedSensor(shown) === null ? '' : ` of ${shown.sensor || 'the unnamed sensor'}`;
}

/** A page's knowledge of its sensor. */
interface KnownSensor extends ShownSensor {
  /** False until the store has been read. */
  hasLoaded: boolean;
  last: Reading | null;
}

/** Returns true if a page is asked for a sensor of which the store has no reading. */
export function isUnknownSensor({ hasLoaded, last, ...shown }: KnownSensor): boolean {
  const isListed = shown.sensors.some(({ name }) => name === shown.sensor);
  return hasLoaded && !last && !isListed && mentionedSensor(shown) !== null;
}
