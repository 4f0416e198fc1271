import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutletContext } from '@remix-run/react';
import { alertAddresses } from '../alerts/addresses.server';
import { airReport } from '../alerts/air-report.server';
import { missingSetting } from '../alerts/start-alerts.server';
import { getEnv } from '../config/env.server';
import { PROVIDERS } from '../providers/providers.server';
import { MAX_SENSORS } from '../readings/known-sensors';
import type { RootData } from '../root';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';
import { NotificationsPage, NotSetUp } from '../ui/alerts/notifications-page';
import { loadPatiently } from '../ui/opening/load-patiently';

export const meta: MetaFunction = () => [{ title: 'Notifications – airboard' }];

/** If a write key is set, the page asks the viewer for it and then fetches the report. */
export async function loader() {
  const { alerts, WRITE_KEY } = getEnv();
  const store = getStore().alerts;
  if (alerts.urls.length === 0 || !store) return notSetUp();
  if (WRITE_KEY !== undefined) return { report: null, problem: null };
  try {
    const report = await airReport(store, alertAddresses(alerts), alerts);
    return { report: { ...report, sensors: report.sensors.slice(0, MAX_SENSORS) }, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { report: null, problem: error.message };
  }
}

function notSetUp() {
  return { missing: missingSetting(), providers: PROVIDERS.map(({ name, example }) => ({ name, example })) };
}

export { loadPatiently as clientLoader };

/** Doesn't reload, because the page fetches newer reports itself. */
export const shouldRevalidate = () => false;

/** Every sensor's state, pending states, and sent notifications. */
export default function Notifications() {
  const data = useLoaderData<typeof loader>();
  const { isKeyNeeded } = useOutletContext<RootData>();
  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Notifications</h1>
      {'missing' in data ? <NotSetUp {...data} /> : <NotificationsPage {...data} isKeyNeeded={isKeyNeeded} />}
    </div>
  );
}
