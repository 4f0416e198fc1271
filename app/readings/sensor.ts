import { type Reading, type SensorSummary, sensorOf, UNNAMED } from './reading';

/** The sensor that a page shows, and all known sensors. */
export interface ShownSensor {
  /** Empty for the unnamed sensor. */
  sensor: string;
  sensors: readonly SensorSummary[];
}

/** The sensors that a page request names. An empty name means the unnamed sensor. */
export interface AskedSensor {
  /** From `?sensor=` in the address; may have no readings yet. */
  chosen?: string;
  /** The sensor that this browser showed last, from its cookie; ignored if it has no readings. */
  remembered?: string;
}

/** The most rooms in one chart. More lines can't be told apart. */
export const MOST_ROOMS = 6;

/** Returns the sensors that an address names, each once. */
export function sensorsIn(query: URLSearchParams): string[] {
  return [...new Set(query.getAll('sensor').map((name) => name.trim()))];
}

/** Returns each sensor's readings, in the given order. */
export function groupBySensor(readings: readonly Reading[]): Map<string, Reading[]> {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const group = groups.get(sensorOf(reading));
    if (group) group.push(reading);
    else groups.set(sensorOf(reading), [reading]);
  }
  return groups;
}

export function sensorLabel(name: string): string {
  return name || 'Unnamed sensor';
}

/**
 * Returns the sensor that a page shows if none is chosen: the first by name. Takes a hidden one only without others, and the unnamed
 * one only if it is alone.
 */
export function firstByName(sensors: readonly SensorSummary[]): SensorSummary | undefined {
  // Not `localeCompare`, whose order may differ between the server's and the viewer's language.
  const shown = sensors.filter(({ is_hidden }) => !is_hidden);
  const [first, second] = [...(shown.length > 0 ? shown : sensors)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return first?.name === UNNAMED ? (second ?? first) : first;
}

/** Returns the label of a page's sensor. Returns null if no sensor has a name, because no label is needed then. */
export function mentionedSensor({ sensor, sensors }: ShownSensor): string | null {
  const isOnly = sensor === UNNAMED && sensors.every(({ name }) => name === UNNAMED);
  return isOnly ? null : sensorLabel(sensor);
}

/** Returns ` of Bedroom`, ` of the unnamed sensor`, or nothing where a page doesn't mention its sensor. */
export function ofSensor(shown: ShownSensor): string {
  return mentionedSensor(shown) === null ? '' : ` of ${shown.sensor || 'the unnamed sensor'}`;
}

interface KnownSensor extends ShownSensor {
  /** False until the store has been read. */
  hasLoaded: boolean;
  last: Reading | null;
}

/** Returns true if the store has no readings of the requested sensor. */
export function isUnknownSensor({ hasLoaded, last, ...shown }: KnownSensor): boolean {
  const isListed = shown.sensors.some(({ name }) => name === shown.sensor);
  return hasLoaded && !last && !isListed && mentionedSensor(shown) !== null;
}
