import { type SensorSummary, UNNAMED } from './reading';

/** What pages show: the sensor, and all that are known. */
export interface ShownSensor {
  /** The name of the sensor whose readings are shown. */
  sensor: string;
  sensors: readonly SensorSummary[];
}

/** Returns what pages call a sensor. */
export function sensorLabel(name: string): string {
  return name || 'Unnamed sensor';
}

/** Returns what a page calls its sensor; null if it has nothing to tell it from, because no sensor has a name. */
export function mentionedSensor({ sensor, sensors }: ShownSensor): string | null {
  const isOnly = sensor === UNNAMED && sensors.every(({ name }) => name === UNNAMED);
  return isOnly ? null : sensorLabel(sensor);
}

/** Returns true if a page is asked for a sensor of which there is no reading yet. */
export function isUnknownSensor({ sensor, sensors }: ShownSensor): boolean {
  return mentionedSensor({ sensor, sensors }) !== null && !sensors.some(({ name }) => name === sensor);
}
