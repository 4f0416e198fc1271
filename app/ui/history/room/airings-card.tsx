import { Fragment } from 'react';
import { counted } from '../../../readings/format/counted.js';
import type { AiringAnswer } from '../../../readings/room/ventilation-answer';
import { DAY_MS, formatLongDuration } from '../../../readings/time/durations';
import type { Span } from '../../../readings/time/history-span';
import { clockTime, formatWeekday, startOfDay } from '../../../readings/time/local-time';
import { Card } from '../../card';

interface AiringsCardProps {
  /** Oldest first. May include airings outside `span`. */
  airings: readonly AiringAnswer[];
  span: Span;
  /** In milliseconds since 1970. */
  now: number;
}

/** The most airings in the table: the newest ones. */
const MOST_LISTED = 20;

const WEEK_DAYS = 7;

/** The airings of a span, newest first, with counts for the span and for each day. */
export function AiringsCard({ airings, span, now }: AiringsCardProps) {
  const own = airings
    .filter(({ from, to }) => Date.parse(from) < span.to && (to ? Date.parse(to) : now) > span.from)
    .toReversed();
  const days = Math.round((span.to - span.from) / DAY_MS);
  return (
    <Card
      title={days === WEEK_DAYS ? 'Airings this week' : 'Airings'}
      aside={<p className="text-sm text-muted">{countText(own, span, days)}</p>}
    >
      {own.length > 0 && (
        <table className="w-full border-collapse text-right">
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th className="px-1.5 py-1 text-left font-normal">when</th>
              <th className="px-1.5 py-1 font-normal">for</th>
              <th className="px-1.5 py-1 font-normal">
                {own.some(({ from_g_m3 }) => from_g_m3 !== null) ? 'water, g/m³' : 'CO2, PPM'}
              </th>
              <th className="px-1.5 py-1 font-normal max-sm:hidden">air changes an hour</th>
            </tr>
          </thead>
          <tbody>
            {newestOf(byDay(own)).map(({ day, count, listed }) => (
              <Fragment key={day}>
                {days > 1 && (
                  <tr>
                    <th colSpan={4} scope="rowgroup" className="px-1.5 pt-3 text-left text-sm font-semibold">
                      {formatWeekday(new Date(day))}
                      <span className="font-normal text-muted">, {airingsText(count)}</span>
                    </th>
                  </tr>
                )}
                {listed.map((airing) => (
                  <AiringRow key={airing.from} airing={airing} now={now} hasDay={days <= 1} />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      {own.length > MOST_LISTED && (
        <p className="mt-2 text-sm text-muted">
          The newest {MOST_LISTED} of {own.length}. A shorter span shows the others.
        </p>
      )}
    </Card>
  );
}

function AiringRow({ airing, now, hasDay }: { airing: AiringAnswer; now: number; hasDay: boolean }) {
  const { from, to, air_changes_per_hour: airChanges } = airing;
  const { from_ppm, to_ppm, from_g_m3, to_g_m3 } = airing;
  const [before, after] =
    from_ppm === null || to_ppm === null ? [from_g_m3, to_g_m3] : [Math.round(from_ppm), Math.round(to_ppm)];
  const time = new Date(from);
  const minutes = Math.max(1, Math.round(((to === null ? now : Date.parse(to)) - time.getTime()) / 60_000));
  return (
    <tr className="border-b border-line">
      <td className="px-1.5 py-2 text-left">
        <time dateTime={from}>
          {hasDay ? `${formatWeekday(time)} ` : ''}
          {clockTime(time)}
        </time>
      </td>
      <td className="px-1.5 py-2">
        {formatLongDuration(minutes * 60_000)}
        {to === null && ' so far'}
      </td>
      <td className="px-1.5 py-2">
        {before} <span aria-hidden="true">→</span>
        <span className="sr-only">to</span> {after}
      </td>
      <td className="px-1.5 py-2 max-sm:hidden">{airChanges?.toFixed(1) ?? '–'}</td>
    </tr>
  );
}

/** Groups airings by the local day on which they begin, in milliseconds since 1970. */
function byDay(airings: readonly AiringAnswer[]): [day: number, ofDay: AiringAnswer[]][] {
  const days = new Map<number, AiringAnswer[]>();
  for (const airing of airings) {
    const day = startOfDay(new Date(airing.from)).getTime();
    days.set(day, [...(days.get(day) ?? []), airing]);
  }
  return [...days];
}

function airingsText(count: number): string {
  if (count === 0) return 'no airings';
  return counted(count, 'airing');
}

interface ListedDay {
  day: number;
  /** The number of all its airings, some of which may not be listed. */
  count: number;
  listed: AiringAnswer[];
}

/** Returns the days of the newest `MOST_LISTED` airings. */
function newestOf(days: ReturnType<typeof byDay>): ListedDay[] {
  let left = MOST_LISTED;
  return days.flatMap(([day, ofDay]) => {
    const listed = ofDay.slice(0, left);
    left -= listed.length;
    return listed.length > 0 ? [{ day, count: ofDay.length, listed }] : [];
  });
}

/** Returns `3 airings, on 2 of 7 days`. */
function countText(airings: readonly AiringAnswer[], { from }: Span, days: number): string {
  const count = airingsText(airings.length);
  if (days < 2 || airings.length === 0) return count;
  // An airing that began before the span airs its first day.
  const aired = new Set(
    airings.map((airing) => startOfDay(new Date(Math.max(Date.parse(airing.from), from))).getTime()),
  );
  // The last 7 days are parts of 8 days of the calendar.
  return `${count}, on ${Math.min(aired.size, days)} of ${days} days`;
}
