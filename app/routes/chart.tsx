import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { useMemo } from 'react';
import { useFeedSettings } from '../live/browser/use-feed-settings';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings, noReadings } from '../live/server/initial-readings.server';
import { chartSeries } from '../readings/chart-series';
import { DEFAULT_RANGE, findRange, HISTORY_LIMIT, RANGES } from '../readings/range';
import { getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { ReadingsChart } from '../ui/chart/readings-chart';
import { ConnectionNotice } from '../ui/connection-notice';
import { NoReadings } from '../ui/no-readings';

export async function loader({ request }: LoaderFunctionArgs) {
  const name = new URL(request.url).searchParams.get('range');
  if (name === null) return { ...(await noReadings(getStore())), name };
  const range = findRange(name);
  if (!range) {
    const names = RANGES.map((known) => known.name).join(', ');
    throw new Response(`There is no range of that name. These are known: ${names}.`, {
      status: 400,
      statusText: 'Unknown range',
    });
  }
  return { ...(await initialReadings(getStore(), keepFor(name))), name };
}

/** One more than the range shows, so that the page knows when more than 40 exist and averaging starts. */
function keepFor(name: string | null): number {
  return name === null ? HISTORY_LIMIT : (findRange(name) ?? DEFAULT_RANGE).maxPoints + 1;
}

/** The chart alone: without a range it is given no readings, and draws what arrives. */
export default function ChartPage() {
  const data = useLoaderData<typeof loader>();
  // Another range is another history: it starts anew.
  return <LiveChart key={data.name} {...data} />;
}

function LiveChart({ initial, problem, name }: ReturnType<typeof useLoaderData<typeof loader>>) {
  const { history, hasLoaded, count, connection } = useReadings(initial, useFeedSettings(), keepFor(name));
  const range = findRange(name ?? '') ?? DEFAULT_RANGE;
  const points = useMemo(() => chartSeries(history, range, count), [history, range, count]);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Chart</h1>
      <ConnectionNotice connection={connection} problem={problem} />
      <Card title="Chart" aside={<RangeLinks current={name} />}>
        {points.length > 0 ? (
          <ReadingsChart points={points} className="h-[clamp(18rem,70vh,60rem)]" />
        ) : name === null ? (
          <p className="grid h-40 place-content-center text-center text-muted">
            Waiting for the next reading. The links above load what was stored before.
          </p>
        ) : (
          <NoReadings hasLoaded={hasLoaded} />
        )}
      </Card>
    </div>
  );
}

/** Links that load the history, for a wall display to be opened with. */
function RangeLinks({ current }: { current: string | null }) {
  return (
    <nav aria-label="History" className="flex flex-wrap gap-1">
      {RANGES.map(({ name }) => (
        <Link
          key={name}
          to={`/chart?range=${name}`}
          aria-current={name === current ? 'page' : undefined}
          className="rounded-md px-3 py-2 text-accent underline underline-offset-4 aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:no-underline"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
