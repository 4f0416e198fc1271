import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useOutletContext } from '@remix-run/react';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { sortByName } from '../readings/now/room-now';
import type { SensorSummary } from '../readings/reading';
import { sensorLabel } from '../readings/sensor';
import type { RootData } from '../root';
import { currentNames, getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';
import { Card, Notice } from '../ui/card';
import { loadPatiently } from '../ui/opening/load-patiently';
import { useWriteKey } from '../ui/posting/write-key';
import { withSensor } from '../ui/sensors/sensor-address';
import { DeleteReadingsCard } from '../ui/settings/delete-readings-card';
import { SensorSettingsCard } from '../ui/settings/sensor-settings-card';

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const name = data?.sensor === undefined ? '' : ` of ${data.sensor || 'the unnamed sensor'}`;
  return [{ title: `Settings${name} – airboard` }];
};

interface SensorsPage {
  /** Undefined to list all sensors. */
  sensor?: string;
  /** Undefined if the sensor has no readings. */
  summary?: SensorSummary;
  /** By name. */
  sensors: Pick<SensorSummary, 'name' | 'group' | 'is_hidden'>[];
  problem: string | null;
}

export function loader({ request }: LoaderFunctionArgs): Promise<SensorsPage> {
  const { chosen } = currentNames(pageQuery(request).sensor);
  return readPageInTurn(request, async (signal) => {
    try {
      const store = getStore(signal);
      const all = await store.sensors(SENSORS_IN_PAGE);
      const sensor = chosen ?? (all.length === 1 ? all[0]?.name : undefined);
      const isChosen = ({ name }: SensorSummary) => name === sensor;
      const summary = all.find(isChosen) ?? (await store.lastHeard(sensor)).find(isChosen);
      const listed = all.map(({ name, group, is_hidden }) => ({ name, group, is_hidden }));
      return { sensor, summary, sensors: sortByName(listed, ({ name }) => name), problem: null };
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { sensor: chosen, sensors: [], problem: error.message };
    }
  });
}

export { loadPatiently as clientLoader };

/** The settings of a sensor, or a list of all sensors to choose from. */
export default function Sensors() {
  const { sensor, summary, sensors, problem } = useLoaderData<typeof loader>() as SensorsPage;
  const { isKeyNeeded } = useOutletContext<RootData>();
  const writeKey = useWriteKey(isKeyNeeded);
  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Settings of sensors</h1>
      <noscript>Changes need JavaScript.</noscript>
      {problem && <Notice>Can't load the sensors yet. {problem}</Notice>}
      {summary && <SensorSettingsCard key={summary.name} {...{ summary, isKeyNeeded, writeKey }} />}
      {!summary && sensor !== undefined && !problem && (
        <Notice>There are no readings of {sensor ? `"${sensor}"` : 'the unnamed sensor'}.</Notice>
      )}
      {sensor !== undefined && !problem && (
        <DeleteReadingsCard key={`delete ${sensor}`} {...{ sensor, summary, isKeyNeeded, writeKey }} />
      )}
      {sensors.length > 1 && (
        <Card title="All sensors">
          <ul className="grid gap-1">
            {sensors.map(({ name, group, is_hidden }) => (
              <li key={name}>
                <Link
                  to={{ search: withSensor('', name) }}
                  discover="none"
                  aria-current={name === sensor ? 'page' : undefined}
                  className="inline-block min-h-6 text-accent wrap-anywhere underline aria-[current=page]:font-semibold aria-[current=page]:text-ink"
                >
                  <bdi>{sensorLabel(name)}</bdi>
                </Link>
                <span className="text-muted">
                  {[group, is_hidden && 'hidden'].filter(Boolean).map((text) => `, ${text}`)}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
