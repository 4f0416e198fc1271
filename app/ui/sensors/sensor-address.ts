import type { ShownSensor } from '../../readings/sensor';

export function withSensor(search: string, sensor: string): string {
  const query = new URLSearchParams(search);
  query.set('sensor', sensor);
  // A colon needs no encoding, and the address is easier to read without it.
  return `?${query}`.replaceAll('%3A', ':');
}

/** Adds the shown sensor to a page's query if there are several, because another viewer might see a different one otherwise. */
export function withShownSensor(search: string, { sensor, sensors }: ShownSensor): string {
  const isNamed = new URLSearchParams(search).has('sensor');
  return isNamed || sensors.length < 2 ? search : withSensor(search, sensor);
}

/** Returns the part of a page's query that links to other pages keep: the sensor, if the address names one. */
export function sharedSearch(search: string): string {
  const sensor = new URLSearchParams(search).get('sensor');
  return sensor === null ? '' : withSensor('', sensor);
}

/** Adds the shown sensor to the page's address if that names no sensor, so that going back shows it again. */
export function keepSensor(shown: string): void {
  const { search, hash } = window.location;
  if (new URLSearchParams(search).has('sensor')) return;
  window.history.replaceState(window.history.state, '', withSensor(search, shown) + hash);
}
