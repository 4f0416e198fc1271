/** Returns the query of a page for another sensor; the other parameters stay. */
export function withSensor(search: string, sensor: string): string {
  const query = new URLSearchParams(search);
  query.set('sensor', sensor);
  return `?${query}`;
}

/** Returns the part of a page's query that the other pages share: the sensor, if the address names it. */
export function sharedSearch(search: string): string {
  const sensor = new URLSearchParams(search).get('sensor');
  return sensor === null ? '' : withSensor('', sensor);
}
