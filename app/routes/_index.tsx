import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { type ShouldRevalidateFunctionArgs, useLoaderData, useOutletContext } from '@remix-run/react';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { initialReadings } from '../live/server/initial-page.server';
import { HISTORY_LIMIT } from '../readings/chart/range';
import { mentionedSensor } from '../readings/sensor';
import type { RootData } from '../root';
import { currentNames, getStore } from '../store/open-store.server';
import { Dashboard } from '../ui/dashboard';
import { loadPatiently } from '../ui/opening/load-patiently';
import { DASHBOARD_TITLE } from '../ui/tab-title';

/** The title until the page knows the air's level. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const sensor = data && mentionedSensor(data.initial);
  return [{ title: sensor ? `${sensor} – airboard` : DASHBOARD_TITLE }];
};

export function loader({ request }: LoaderFunctionArgs) {
  const { sensor: asked } = pageQuery(request, 'range');
  return readPageInTurn(request, (signal) =>
    initialReadings(getStore(signal), HISTORY_LIMIT, currentNames(asked)),
  );
}

export { loadPatiently as clientLoader };

/** Doesn't reload for another range, because the page loads the whole history anyway. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.searchParams.get('sensor') !== nextUrl.searchParams.get('sensor');
}

export default function DashboardPage() {
  const data = useLoaderData<typeof loader>();
  const settings = useOutletContext<RootData>();
  return <Dashboard {...data} settings={settings} />;
}
