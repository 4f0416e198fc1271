import { beforeAll, expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import {
  compareReadings,
  type Reading,
  type ReadingInput,
  type SensorSummary,
  sensorOf,
} from '../../app/readings/reading';
import { formatReadingTime, parseReadingTime } from '../../app/readings/time/reading-time';
import type { ReadingQuery, ReadingStore } from '../../app/store/reading-store';
import { seededRandom } from '../../scripts/seed/seeded-random.js';

const SEED = 20260102;
const READINGS = 400;
/** Sensors, each with the lowest random number that selects it. One is unnamed, and the last one is rare. */
const SHARES: [name: string, from: number][] = [
  ['', 0],
  ['Bedroom', 0.5],
  ['Zoë\'s "attic", 50 %', 0.98],
];
const START = Date.parse('2026-01-02T10:00:00Z') * 1000;
/** The span of the readings in microseconds, so short that several sensors share a time. */
const SPAN = 3_000_000;

/**
 * Declares the tests that compare every kind of query with a plain search of all readings.
 *
 * @param queries the number of random queries
 */
export function queryContract(getStore: () => ReadingStore, queries: number): void {
  const random = seededRandom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (share: number) => random() < share;
  let known: Reading[];

  beforeAll(async () => {
    known = await flatten(getStore().read({}));
    for (let batch = 0; batch < READINGS; batch += 100) {
      const inputs = Array.from({ length: 100 }, () => {
        const isCo2Only = chance(0.2);
        // Some times are whole milliseconds, and most readings are late.
        const time = START + (chance(0.5) ? below(SPAN / 1000) * 1000 : below(SPAN));
        const sensor = pickSensor();
        const values: ReadingInput = {
          co2: below(2000),
          voc: isCo2Only ? null : below(600),
          created_at: formatReadingTime(time),
          ...(sensor && { sensor }),
        };
        for (const { field } of METRICS.slice(2)) if (chance(0.3)) values[field] = below(900) / 10;
        return values;
      });
      for (const result of await getStore().insertAll(inputs)) {
        if ('outcome' in result && result.outcome === 'stored') known.push(result.reading);
      }
    }
  });

  function pickSensor(): string {
    const point = random();
    return SHARES.findLast(([, from]) => point >= from)?.[0] ?? '';
  }

  /** Returns a time near those of the readings, often exactly one of them. */
  function pickTime(): string {
    if (chance(0.6)) return (known[below(known.length)] as Reading).created_at;
    return formatReadingTime(START - 1000 + below(SPAN + 2000));
  }

  function pickQuery(): ReadingQuery {
    const query: ReadingQuery = {};
    if (chance(0.6)) query.sensor = chance(0.1) ? 'nobody' : pickSensor();
    if (chance(0.4)) query.from = pickTime();
    if (chance(0.4)) query.to = pickTime();
    if (chance(0.3)) query.after = (known[below(known.length)] as Reading).id - below(2);
    if (chance(0.5)) query.limit = chance(0.2) ? 6000 : 1 + below(300);
    return query;
  }

  test(`returns the same as a plain search for ${queries} random queries (seed ${SEED})`, async () => {
    for (let i = 0; i < queries; i++) {
      const query = pickQuery();
      expect(await flatten(getStore().read(query)), JSON.stringify(query)).toEqual(search(known, query));
    }
  });

  test('returns the newest of a sensor, and those after an id, oldest first', async () => {
    for (let i = 0; i < 20; i++) {
      const { limit = 5, after, sensor } = pickQuery();
      const found = search(known, { limit, after, sensor }).sort(compareReadings);
      expect(
        await getStore().newest(limit, { after, sensor }),
        JSON.stringify({ limit, after, sensor }),
      ).toEqual(found);
    }
  });

  test('counts the readings of each sensor, up to the given maximum', async () => {
    for (const sensor of ['nobody', ...SHARES.map(([name]) => name)]) {
      const { length } = search(known, { sensor });
      for (const upTo of [1, length, length + 1, 6000]) {
        if (upTo > 0) expect(await getStore().count(upTo, sensor)).toBe(Math.min(upTo, length));
      }
    }
  });

  test('lists every sensor with its first and newest reading, in pages by name, and the latest first', async () => {
    const expected = () =>
      [...new Set(known.map(sensorOf))]
        .map((name): SensorSummary => {
          const readings = search(known, { sensor: name });
          const newest = readings.at(-1) as Reading;
          return {
            name,
            newest,
            first_heard: (readings[0] as Reading).created_at,
            last_heard: newest.created_at,
          };
        })
        .sort((a, b) => compareReadings(b.newest, a.newest));
    const byName = () => expected().sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(await getStore().sensors()).toEqual(byName());
    for (let page = 0; page < byName().length; page++) {
      const after = byName()[page - 1]?.name;
      expect(await getStore().sensors(1, after)).toEqual(byName().slice(page, page + 1));
    }
    expect(await getStore().sensors(2, byName().at(-1)?.name)).toEqual([]);
    expect((await getStore().names()).sort()).toEqual(byName().map(({ name }) => name));
    expect(await getStore().lastHeard()).toEqual(expected());
    const { reading: newest } = await getStore().insert({ co2: 1, voc: null, sensor: 'Bedroom' });
    const late = { co2: 1, voc: null, sensor: 'Bedroom', created_at: formatReadingTime(START - 7) };
    const { reading: first } = await getStore().insert(late);
    known.push(newest, first);
    expect(await getStore().sensors()).toEqual(byName());
    expect(await getStore().lastHeard('Bedroom')).toEqual(expected());
  });
}

async function flatten(pages: AsyncIterable<Reading[]>): Promise<Reading[]> {
  const all: Reading[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

const times = new Map<string, number>();

/** Parses a time, caching the result, since a search looks at the times of all readings. */
function timeOf(text: string): number {
  const time = times.get(text) ?? (parseReadingTime(text) as number);
  times.set(text, time);
  return time;
}

/** Returns the selected readings in order of time, or of id if `after` is given. */
function search(readings: readonly Reading[], { limit, after, sensor, from, to }: ReadingQuery): Reading[] {
  const [fromTime, toTime] = [from, to].map((text) => (text === undefined ? undefined : timeOf(text)));
  const found = readings
    .filter(
      (reading) =>
        (sensor === undefined || sensorOf(reading) === sensor) &&
        (fromTime === undefined || timeOf(reading.created_at) >= fromTime) &&
        (toTime === undefined || timeOf(reading.created_at) < toTime) &&
        (after === undefined || reading.id > after),
    )
    .sort(after === undefined ? compareReadings : (a, b) => a.id - b.id);
  return limit === undefined ? found : found.slice(-limit);
}
