import { Link } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { atBase } from '../../base-path';
import { formatQuery } from '../../readings/format/format-query';
import { nameWithUnit } from '../../readings/format/format-value';
import { CO2, type MetricField } from '../../readings/metric';
import { MOST_ROOMS } from '../../readings/sensor';
import type { AskedSpan } from '../../readings/time/history-span';
import { withSpan } from '../../readings/time/span-address';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { spanTitle } from '../history/span/span-title';
import { useSpan } from '../history/span/use-span';
import { useHydrated } from '../hydration';
import { useMetrics } from '../page-contexts';
import { groupLabel, MetricLinks, SpanSegments } from './room-controls';
import { numbersAddress, RENEW_MS, RoomsTable, useRoomNumbers } from './rooms-table';

/** Rows that the table shows at first. */
const FIRST_ROWS = 100;

interface RoomsNumbersProps {
  group: string;
  metric: MetricField | undefined;
  now: number;
  measured: readonly MetricField[];
}

/** The numbers of rooms over the span in the address: a table with the worst room first, as CSV and on paper too. */
export function RoomsNumbers({ group, metric: asked, now, measured }: RoomsNumbersProps) {
  const isHydrated = useHydrated();
  const [isWhole, setWhole] = useState(false);
  // Changes once a minute, so that a span until now isn't another question each second.
  const minute = Math.floor(now / RENEW_MS) * RENEW_MS + RENEW_MS;
  const context = isHydrated ? { now: minute, first: null, last: null } : null;
  const { span, inView, earlier, later, go, resolved } = useSpan(context, { sensor: '', sensors: [] });
  const metric = useMetrics().find(({ field }) => field === (asked ?? CO2.field)) ?? CO2;
  const address = resolved && numbersAddress(resolved, { metric: metric.field, group });
  const { rooms, isOld, failure } = useRoomNumbers(address, resolved !== null && resolved.to > now);
  useEffect(() => {
    document.title = 'Rooms – airboard';
  }, []);
  const shown = isWhole ? rooms : rooms?.slice(0, FIRST_ROWS);
  const title = context && span ? spanTitle(inView, span, new Date(now)) : '';
  const worst = rooms?.slice(0, MOST_ROOMS).map(({ sensor }) => sensor) ?? [];
  return (
    <Card
      title={`${group ? groupLabel(group) : 'Rooms'}: ${nameWithUnit(metric)}, ${title}`}
      isLong
      needsScript
    >
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        <MetricLinks {...{ metric: metric.field, measured }} />
        <SpanSegments shown={inView.name} />
        <div className="flex gap-2">
          <Button
            aria-label="Earlier"
            disabled={!earlier}
            onClick={() => earlier && go(earlier)}
            className="w-11 px-0"
          >
            ‹
          </Button>
          <Button
            aria-label="Later"
            disabled={!later}
            onClick={() => later && go(later)}
            className="w-11 px-0"
          >
            ›
          </Button>
          <a
            href={address ? atBase(`${address}&format=csv`) : undefined}
            download
            className="flex min-h-11 items-center rounded-[0.625rem] border border-line px-4 font-semibold whitespace-nowrap hover:border-accent"
          >
            CSV
          </a>
          {worst.length > 1 && (
            <Link
              to={{ pathname: '/history', search: comparison(worst, metric.field, inView) }}
              discover="none"
              className="flex min-h-11 items-center rounded-[0.625rem] border border-line px-4 font-semibold hover:border-accent"
            >
              Compare {rooms && rooms.length > worst.length ? `the worst ${worst.length}` : 'in one chart'}
            </Link>
          )}
        </div>
      </div>
      {failure && <Notice isSilent>{failure.message}</Notice>}
      {rooms?.length === 0 && <p className="py-8 text-center text-muted">No room has values of this time.</p>}
      {shown && shown.length > 0 && <RoomsTable rooms={shown} {...{ metric, span, inView, now, isOld }} />}
      {rooms && rooms.length > FIRST_ROWS && !isWhole && (
        <Button look="quiet" className="mt-2 print:hidden" onClick={() => setWhole(true)}>
          Show all {rooms.length} rooms
        </Button>
      )}
    </Card>
  );
}

/** Returns the query of a chart of rooms over the same span. */
function comparison(sensors: readonly string[], metric: MetricField, inView: AskedSpan): string {
  const query = new URLSearchParams(sensors.map((sensor) => ['sensor', sensor]));
  query.set('metrics', metric);
  return withSpan(formatQuery(query), inView);
}
