import { formatQuery } from '../../readings/format/format-query';
import { type ShownSensor, sensorsIn } from '../../readings/sensor';

export function withSensor(search: string, sensor: string): string {
  const query = new URLSearchParams(search);
  query.set('sensor', sensor);
  return formatQuery(query);
}

/** Adds the shown sensor to a page's query if there are several, because another viewer might see a different one otherwise. */
export function withShownSensor(search: string, { sensor, sensors }: ShownSensor): string {
  const isNamed = new URLSearchParams(search).has('sensor');
  return isNamed || sensors.length < 2 ? search : withSensor(search, sensor);
}

/** The parameters that mean the same on every page. */
const SHARED_PARAMETERS = ['sensor', 'metrics'];

/** Returns the parameters to keep in links to other pages: the sensor and the metrics, if the query contains them. */
export function sharedSearch(search: string): string {
  const query = new URLSearchParams(search);
  return formatQuery(
    new URLSearchParams(
      SHARED_PARAMETERS.flatMap((name) =>
        query
          .getAll(name)
          .slice(0, 1)
          .map((value) => [name, value]),
      ),
    ),
  );
}

/** Returns a query with the sensors of another one, if that names several rooms; for links between the pages that show several. */
export function withRooms(search: string, page: string): string {
  const rooms = sensorsIn(new URLSearchParams(page));
  if (rooms.length < 2) return search;
  const query = new URLSearchParams(search);
  query.delete('sensor');
  for (const room of rooms) query.append('sensor', room);
  return formatQuery(query);
}

/** Adds the shown sensor to the page's address if that names no sensor, so that going back shows it again. */
export function keepSensor(shown: string): void {
  const { search, hash } = window.location;
  if (new URLSearchParams(search).has('sensor')) return;
  window.history.replaceState(window.history.state, '', withSensor(search, shown) + hash);
}
