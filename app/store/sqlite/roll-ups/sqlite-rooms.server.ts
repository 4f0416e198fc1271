import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MetricField, metricOf } from '../../../readings/metric';
import { mergeTotals, type RollUp } from '../../../readings/roll-up/roll-up';
import {
  addSlots,
  EDGE_SECONDS,
  endRoom,
  type OpenRoom,
  openRoom,
  type RoomTotals,
} from '../../../readings/roll-up/room-totals';
import { levelSlots, SLOT_SECONDS } from '../../../readings/roll-up/slot';
import { DAY_S, HOUR_S, utcDay } from '../../../readings/time/durations';
import type { AveragesQuery, RoomAverages, RoomsQuery } from '../../reading-store';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import type { ReadRows } from '../reads/sqlite-reader.server';
import type { sqliteDirtyDays, sqliteLevelLimits } from './sqlite-dirty-days.server';

/** Sensors per query of averages, each with a few dozen steps. */
const PAGE_SENSORS = 250;

/** The most slots that one query of totals returns to the event loop, but those of one sensor at least. */
const PAGE_SLOTS = 8000;

/** Merging this many hours of a tier in SQL takes as long as returning a slot. */
const HOURS_PER_SLOT = 8;

/** A span of a sensor, in seconds since 1970, with the sensor's key. */
type Range = readonly [key: number, from: number, to: number];

/** The parts of ranges, materialized: a query would parse them again for each row. */
const WITH_RANGES = `with range as materialized (
  select ${['key', 'first', 'last', 'highest', 'other'].map((name, i) => `json_extract(value, '$[${i}]') as ${name}`)}
  from json_each(:ranges))`;
const IN_RANGE = `sensor = key and start >= first and start < last`;

const SELECT_KEYS =
  'select name, sensors.id from json_each(:names) as listed cross join sensors on name = listed.value';

/** The averages of a sensor's steps as a text such as `612.5,,640`. One query for each step spares sorting all slots. */
const selectAverages = (field: MetricField) => `
  with recursive steps (start) as (select :from union all select start + :step from steps where start + :step < :to)
  select name, (
    select group_concat(coalesce(average, '')) from (
      select (
        select round(sum(${field}_sum) / sum(${field}_values), 2) from slots
        where sensor = sensors.id and slots.start >= steps.start and slots.start < steps.start + :step and ${field}_values > 0
      ) as average from steps order by start
    ))
  from json_each(:names) as listed cross join sensors on name = listed.value`;

const selectSlots = (field: MetricField) => `
  ${WITH_RANGES}
  select key, start, ${field}_values, ${field}_sum, ${field}_lowest, ${field}_highest
  from range cross join slots where ${IN_RANGE} and ${field}_values > 0`;

/** The steps of a tier, merged by the hour of the day. Numbers are bound as reals, whose division isn't that of integers. */
const selectHours = (field: MetricField) => `
  ${WITH_RANGES}
  select key, (start + cast(:offset as integer)) % ${DAY_S} / ${HOUR_S} as hour, sum(${field}_values), sum(${field}_sum),
    min(${field}_lowest), max(${field}_highest), sum(${field}_good), sum(${field}_moderate), sum(${field}_poor)
  from range cross join roll_ups where ${IN_RANGE} and step = :tier and ${field}_values > 0
  group by key, hour`;

const SELECT_DIRTY = `
  select sensor, day from json_each(:keys) as listed cross join stale_days
  where sensor = listed.value and day >= :from and day < :to`;

/**
 * The times of highest values: the first reading of the first slot with the value, or the slot's beginning if that was removed. A
 * range has the hours that are kept in `roll_ups`, the value, and the first slot outside these hours that has it. Days say from which
 * one on the hours are searched.
 */
const selectHighest = (field: MetricField) => `
  ${WITH_RANGES}
  select key, coalesce((select min(created_at) from data where sensor = key and ${field} = highest
    and created_at >= slot * 1000000 and created_at < (slot + ${SLOT_SECONDS}) * 1000000), slot * 1000000)
  from (
    select key, highest, coalesce(min(other, kept), other, kept) as slot from (
      select key, highest, other, (select min(start) from slots
        where sensor = key and start >= hour and start < hour + ${HOUR_S} and ${field}_highest = highest) as kept
      from (
        select key, highest, other, (
          select min(start) from roll_ups where ${IN_RANGE} and step = ${HOUR_S} and ${field}_highest = highest
            and start >= (select min(start) from roll_ups where sensor = key and step = ${DAY_S}
              and start > first - ${DAY_S} and start < last and ${field}_highest >= highest)
            and not exists (select 1 from stale_days
              where stale_days.sensor = key and day between start - ${DAY_S} + 1 and start)) as hour
        from range
      )
    )
  )`;

interface Parts {
  readRows: ReadRows;
  metrics: SqliteMetrics;
  dirtyDays: Pick<ReturnType<typeof sqliteDirtyDays>, 'firstUnbuilt' | 'build'>;
  levelLimits: Pick<ReturnType<typeof sqliteLevelLimits>, 'isKeptFor'>;
  write: (writes: () => void) => void;
}

/** Reads one metric of many sensors at once: the averages of recent steps, and the totals of a span. */
export function sqliteRooms({ readRows, metrics, dirtyDays, levelLimits, write }: Parts) {
  const isStored = (field: MetricField) => metrics.fields().includes(field);

  async function* averages({
    sensors,
    field,
    from,
    to,
    step,
  }: AveragesQuery): AsyncGenerator<RoomAverages[]> {
    if (!isStored(field)) return;
    for (const names of pagesOf(sensors, PAGE_SENSORS)) {
      const bound = { names: JSON.stringify(names), from, to, step };
      const rows = await readRows<[name: string, averages: string]>(selectAverages(field), bound);
      yield rows.map(([sensor, text]) => ({
        sensor,
        averages: text.split(',').map((average) => (average === '' ? null : Number(average))),
      }));
    }
  }

  async function* totals(query: RoomsQuery): AsyncGenerator<RoomTotals[]> {
    if (!isStored(query.field)) return;
    const names = JSON.stringify(query.sensors.map(({ sensor }) => sensor));
    const keys = new Map(await readRows<[name: string, key: number]>(SELECT_KEYS, { names }));
    const rooms = query.sensors.flatMap(({ sensor, from, to }) => {
      const key = keys.get(sensor);
      return key === undefined || from >= to ? [] : [{ key, room: openRoom(sensor, from, to) }];
    });
    const first = Math.min(...rooms.map(({ room }) => room.first));
    const last = Math.max(...rooms.map(({ room }) => room.last));
    const dirty = await dirtyOf(keys.values(), first, last);
    const isKept = (key: number) => {
      const isSame = levelLimits.isKeptFor(key, query.thresholds);
      return (day: number) => isSame && !dirty.get(key)?.has(day);
    };
    for (const page of pagesBySize(
      rooms.map(({ key, room }) => ({ key, room, ...partsOf(room, isKept(key)) })),
    )) {
      yield await pageOf(query, page);
    }
  }

  async function dirtyOf(keys: Iterable<number>, from: number, to: number) {
    const bound = { keys: JSON.stringify([...keys]), from: utcDay(from), to };
    const days = new Map<number, Set<number>>();
    for (const [key, day] of await readRows<[key: number, day: number]>(SELECT_DIRTY, bound)) {
      days.set(key, (days.get(key) ?? new Set()).add(day));
    }
    return days;
  }

  async function pageOf({ field, thresholds, periods }: RoomsQuery, page: readonly PartedRoom[]) {
    for (const { key, slots } of page) for (const range of slots) await completeSlots(key, range);
    const rooms = new Map(page.map(({ key, room }) => [key, room]));
    const tier = periods.every(({ offset }) => offset % HOUR_S === 0) ? HOUR_S : 900;
    for (const period of periods) {
      const ranges = page.flatMap(({ key, hours }) =>
        hours
          .map(([from, to]): Range => [key, Math.max(from, period.from), Math.min(to, period.to)])
          .filter(([, from, to]) => from < to),
      );
      if (ranges.length === 0) continue;
      const bound = { ranges: JSON.stringify(ranges), tier, offset: period.offset };
      type Row = [number, number, number, number, number, number, number, number, number];
      for (const row of await readRows<Row>(selectHours(field), bound)) {
        const [key, hour, values, sum, lowest, highest, good, moderate, poor] = row;
        const room = rooms.get(key);
        const totals = { values, sum, lowest, highest, seconds: { good, moderate, poor } };
        if (room) room.hours[hour] = mergeTotals(room.hours[hour], totals);
      }
    }
    const ranges = page.flatMap(({ key, slots }) => slots.map(([from, to]): Range => [key, from, to]));
    const bySensor = new Map<number, RollUp[]>();
    type Row = [number, number, number, number, number, number];
    for (const row of await readRows<Row>(selectSlots(field), { ranges: JSON.stringify(ranges) })) {
      const [key, start, values, sum, lowest, highest] = row;
      const totals = { values, sum, lowest, highest, seconds: { good: 0, moderate: 0, poor: 0 } };
      const slots = bySensor.get(key) ?? [];
      slots.push({ start, readings: values, co2: null, voc: null, [field]: totals });
      bySensor.set(key, slots);
    }
    for (const { key, room, hours } of page) {
      const slots = bySensor.get(key) ?? [];
      levelSlots(slots, thresholds, [metricOf(field)]);
      addSlots(room, field, slots, periods, (start) => isIn(hours, start));
    }
    return withHighestTimes(field, page);
  }

  async function withHighestTimes(field: MetricField, page: readonly PartedRoom[]): Promise<RoomTotals[]> {
    const ended = page.map(({ key, room, hours }) => ({ key, hours, ...endRoom(room) }));
    const asked = ended.flatMap(({ key, hours, totals, highestSlot }) =>
      totals ? [[key, hours[0]?.[0] ?? 0, hours.at(-1)?.[1] ?? 0, totals.highest, highestSlot]] : [],
    );
    const bound = { ranges: JSON.stringify(asked) };
    const rows = await readRows<[key: number, time: number | null]>(selectHighest(field), bound);
    const times = new Map(rows);
    return ended.map(({ key, hours: _, highestSlot: __, ...totals }) => {
      const time = times.get(key) ?? null;
      return { ...totals, highest_at: time === null ? null : Math.floor(time / 1e6) };
    });
  }

  /** Computes the missing slots of a range, in steps between which other requests run. */
  async function completeSlots(key: number, [from, to]: Part): Promise<void> {
    for (;;) {
      const unbuilt = dirtyDays.firstUnbuilt(key, utcDay(from) - DAY_S, to + DAY_S);
      if (!unbuilt) return;
      write(() => dirtyDays.build(unbuilt));
      await nextTurn();
    }
  }

  return { averages, totals };
}

/** A part of a span in seconds since 1970. */
type Part = readonly [from: number, to: number];

/** A room with the whole hours that are read from a tier, and the parts that are read from slots, oldest first. */
interface PartedRoom {
  key: number;
  room: OpenRoom;
  hours: Part[];
  slots: Part[];
}

const isIn = (parts: readonly Part[], time: number) => parts.some(([from, to]) => from <= time && time < to);

/** Divides a span. Slots are also read around its ends, because their time may reach past these. */
function partsOf(
  { first, last }: OpenRoom,
  isKept: (day: number) => boolean,
): Pick<PartedRoom, 'hours' | 'slots'> {
  const hours: Part[] = [];
  const [begin, end] = [Math.ceil(first / HOUR_S) * HOUR_S, Math.floor(last / HOUR_S) * HOUR_S];
  for (let day = utcDay(begin); day < end; day += DAY_S) {
    if (isKept(day)) append(hours, Math.max(begin, day), Math.min(end, day + DAY_S));
  }
  const slots: Part[] = [];
  let from = first;
  for (const [start, end] of [...hours, [last, last] as const]) {
    if (from < start || from === first || start === last)
      append(slots, from - EDGE_SECONDS, start + EDGE_SECONDS);
    from = end;
  }
  return { hours, slots };
}

/** Appends a part, or extends the last one if they touch. */
function append(parts: Part[], from: number, to: number): void {
  const last = parts.at(-1);
  if (last && from <= last[1]) parts[parts.length - 1] = [last[0], Math.max(last[1], to)];
  else parts.push([from, to]);
}

function* pagesBySize(rooms: readonly PartedRoom[]): Generator<PartedRoom[]> {
  const secondsIn = (parts: readonly Part[]) => parts.reduce((sum, [from, to]) => sum + to - from, 0);
  let page: PartedRoom[] = [];
  let size = 0;
  for (const room of rooms) {
    size += secondsIn(room.slots) / SLOT_SECONDS + secondsIn(room.hours) / (HOURS_PER_SLOT * HOUR_S);
    if (size > PAGE_SLOTS && page.length > 0) {
      yield page;
      [page, size] = [[], 0];
    }
    page.push(room);
  }
  if (page.length > 0) yield page;
}

function* pagesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}
