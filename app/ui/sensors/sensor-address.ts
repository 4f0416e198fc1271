import type { ShownSensor } from '../../readings/sensor';

export function withSensor(search: string, sensor: string): string {
  const query = new URLSearchParams(search);
  query.set('sensor', sensor);
  // A colon needs no encoding, and addresses are read by people too.
  return `?${query}`.replaceAll('%3A', ':');
}

/** Returns the query of a page with the sensor that it shows if there are several: without, another viewer may see another. */
export function withShownSensor(search: string, { sensor, sensors }: ShownSensor): string {
  const isNamed = new URLSearchParams(search).has('sensor');
  return isNamed || sensors.length < 2 ? search : withSensor(search, sensor);
}

/** Returns the part of a page's query that the other pages share: the sensor, if the address names it. */
export function sharedSearch(search: string): string {
  const sensor = new URLSearchParams(search).get('sensor');
  return sensor === null ? '' : withSensor('', sensor);
}

/** Puts the sensor that a page shows into its address, if that names none: going back to the page shows it again. */
export function keepSensor(shown: string): void {
  const { search, hash } = window.location;
  if (new URLSearchParams(search).has('sensor')) return;
  window.history.replaceState(window.history.state, '', withSensor(search, shown) + hash);
}
