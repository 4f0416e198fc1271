import { levelSeconds } from '../readings/history/history-answer';
import type { RoomNumbers } from '../readings/history/room-numbers';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { type MetricField, metricOf, type Thresholds } from '../readings/metric';
import { groupOf, isInGroup, sortByName } from '../readings/now/room-now';
import type { SensorSummary } from '../readings/reading';
import { roundedAverageOf } from '../readings/roll-up/roll-up';
import type { RoomTotals } from '../readings/roll-up/room-totals';
import { SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { thresholdsFor } from '../readings/sensor-settings';
import type { ReadingStore } from '../store/reading-store';
import { elapsedPart } from './asked-span.server';
import { localTime } from './local-time.server';

interface RoomsSpan {
  /** Only rooms of this group and its subgroups. */
  group?: string;
  /** Only these sensors, hidden ones too. */
  sensors?: readonly string[];
  field: MetricField;
  /** In whole seconds since 1970. Extended to whole slots. */
  from: number;
  to: number;
  /** The time zone of the hours of a day. */
  zone: string;
}

/**
 * Returns one metric's numbers of rooms over a span, worst first: by the time that isn't good, then by the average. Time in levels
 * counts as in `summarize`. Rooms without values and without time are left out.
 *
 * @param now the server's clock in milliseconds since 1970
 */
export async function roomNumbers(
  store: Pick<ReadingStore, 'sensors' | 'roomTotals'>,
  { group = '', sensors: names, field, from, to, zone }: RoomsSpan,
  server: Thresholds,
  now: number,
): Promise<RoomNumbers[]> {
  const listed = (await store.sensors(SENSORS_IN_PAGE)).filter(
    (each) => (names ? names.includes(each.name) : !each.is_hidden) && isInGroup(groupOf(each), group),
  );
  const span = { from: slotOf(from), to: slotOf(to + SLOT_SECONDS - 1) };
  const { periods } = await localTime(zone, span.from, span.to);
  const found: RoomNumbers[] = [];
  for (const [thresholds, rooms] of byThresholds(listed, server)) {
    const groups = new Map(rooms.map((summary) => [summary.name, groupOf(summary)]));
    const sensors = rooms.map(({ name, first_heard }) => {
      const elapsed = { from: Math.floor(Date.parse(first_heard) / 1000), to: Math.floor(now / 1000) + 1 };
      return elapsedPart({ sensor: name, ...span }, elapsed);
    });
    for await (const page of store.roomTotals({ field, sensors, periods, thresholds })) {
      for (const totals of page) found.push(numbersOf(totals, groups.get(totals.sensor) ?? '', field));
    }
  }
  const named = sortByName(
    found.filter(({ average, measured_seconds }) => average !== null || measured_seconds > 0),
    ({ sensor }) => sensor,
  );
  return named.sort((a, b) => notGood(b) - notGood(a) || (b.average ?? 0) - (a.average ?? 0));
}

const notGood = ({ moderate_seconds, poor_seconds }: RoomNumbers): number =>
  (moderate_seconds ?? 0) + (poor_seconds ?? 0);

/** Groups sensors by their thresholds: a store reads those of equal thresholds together. */
function byThresholds(
  sensors: readonly SensorSummary[],
  server: Thresholds,
): Iterable<[Thresholds, SensorSummary[]]> {
  const groups = new Map<string, [Thresholds, SensorSummary[]]>();
  for (const summary of sensors) {
    const thresholds = thresholdsFor(server, summary.thresholds);
    const key = thresholds === server ? '' : JSON.stringify(thresholds);
    const known = groups.get(key);
    if (known) known[1].push(summary);
    else groups.set(key, [thresholds, [summary]]);
  }
  return groups.values();
}

function numbersOf(
  { sensor, totals, seconds, highest_at, worst_hour }: RoomTotals,
  group: string,
  field: MetricField,
) {
  const { threshold } = metricOf(field);
  const { good_seconds, moderate_seconds, poor_seconds } = threshold ? levelSeconds(seconds) : NO_LEVELS;
  return {
    sensor,
    group,
    average: totals && roundedAverageOf(totals),
    highest: totals?.highest ?? null,
    highest_at: highest_at === null ? null : new Date(highest_at * 1000).toISOString(),
    worst_hour,
    good_seconds,
    moderate_seconds,
    poor_seconds,
    measured_seconds: seconds.good + seconds.moderate + seconds.poor,
  };
}

const NO_LEVELS = { good_seconds: null, moderate_seconds: null, poor_seconds: null };
