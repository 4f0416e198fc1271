import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAverage, formatValue } from '../../app/readings/format/format-value';
import { METRICS, type Metric } from '../../app/readings/metric';
import type { Reading } from '../../app/readings/reading';
import { formatLongDuration } from '../../app/readings/time/format-duration';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { storeReadings } from '../support/database';
import { numbersOf, waitForHistory } from '../support/history-page';
import { levelBySecond, NO_LEVEL } from '../support/level-by-second';
import { openPage, withChromium } from '../support/page';
import { randomHistory } from '../support/random-history';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { THRESHOLDS } from '../support/thresholds';

const SEED = 20261121;

const chromium = withChromium();
let server: RunningServer;

/** Days on which clocks are set, with their limits in UTC, and longer spans around them. */
const SPANS = [
  ['Europe/Berlin', '?date=2025-03-30', '2025-03-29T23:00Z', '2025-03-30T22:00Z'],
  ['Europe/Berlin', '?span=week&date=2025-03-30', '2025-03-23T23:00Z', '2025-03-30T22:00Z'],
  ['Europe/Berlin', '?span=month&date=2025-03-30', '2025-02-28T23:00Z', '2025-03-31T22:00Z'],
  // Half an hour beside the hours of UTC.
  ['America/St_Johns', '?date=2024-11-03', '2024-11-03T02:30Z', '2024-11-04T03:30Z'],
  ['America/St_Johns', '?span=year&date=2024-11-03', '2024-01-01T03:30Z', '2025-01-01T03:30Z'],
  // Clocks are set by half an hour.
  ['Australia/Lord_Howe', '?date=2025-04-06', '2025-04-05T13:00Z', '2025-04-06T13:30Z'],
  [
    'Australia/Lord_Howe',
    '?from=2025-04-05T14:07:13Z&to=2025-04-06T01:23:45Z',
    '2025-04-05T14:07:13Z',
    '2025-04-06T01:23:45Z',
  ],
] as const;

/** Readings of one sensor around all of these days, with gaps, nulls, and beats from a second to an hour. */
const readings = (() => {
  const random = seededRandom(SEED);
  const around = ['2024-11-01T00:00Z', '2025-03-26T00:00Z', '2025-04-03T00:00Z'].flatMap((start) =>
    randomHistory(random, Date.parse(start) / 1000, 6 * 86_400, 2500),
  );
  return around.map((reading, i) => ({ ...reading, id: i + 1 }));
})();

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath, env: { TZ: 'Asia/Kathmandu' } });
});

afterAll(() => server.stop());

/** The figures and the words of a metric's card. */
interface Card {
  figures: [name: string, value: string][];
  words: string[];
}

/** Returns the card that the page has to show, from the readings alone. */
function expected({ field, unit }: Metric, zone: string, from: number, to: number): Card {
  const isInside = ({ created_at }: Reading) => Date.parse(created_at) >= from && Date.parse(created_at) < to;
  const inside = readings.filter((reading) => isInside(reading) && reading[field] !== null);
  const values = inside.map((reading) => reading[field] as number);
  const threshold = THRESHOLDS[field];
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...(to - from > 25 * 3_600_000 && { day: 'numeric', month: 'short', year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  });
  const timeOf = (time: number) =>
    format
      .format(time)
      .replace(',', '')
      .replace(/\b0(?=\d:)/, '');
  const at = (value: number) => timeOf(Date.parse(inside[values.indexOf(value)]?.created_at ?? ''));
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const levels = levelBySecond(readings, field, from / 1000, to / 1000);
  const [good, moderate, poor] = countLevels(levels);
  const begin = Math.max(from, Math.min(...readings.map(({ created_at }) => Date.parse(created_at))));
  const without = (to - begin) / 1000 - good - moderate - poor;
  const above = (limit: number, seconds: number, isSearched: (level: number) => boolean) => {
    if (seconds === 0) return `above ${limit} ${unit} never`;
    const longest = longestRun(levels, isSearched);
    const length = longest.seconds < seconds ? `longest ${duration(longest.seconds)} ` : '';
    return `above ${limit} ${unit} for ${duration(seconds)}, ${length}from ${timeOf(from + longest.start * 1000)}`;
  };
  return {
    figures: [
      [`lowest, ${at(lowest)}`, formatValue(lowest, threshold)],
      ['average', formatAverage(average, threshold)],
      [`highest, ${at(highest)}`, formatValue(highest, threshold)],
    ],
    words: [
      ...(good ? [`${duration(good)} good`] : []),
      ...(moderate ? [`${duration(moderate)} moderate`] : []),
      ...(poor ? [`${duration(poor)} poor`] : []),
      ...(without >= 60 ? [`${duration(without)} without readings`] : []),
      ...(begin > from ? [`${duration((begin - from) / 1000)} before the first reading`] : []),
      above(threshold.good, moderate + poor, (level) => level > 0),
      ...(moderate + poor ? [above(threshold.moderate, poor, (level) => level > 1)] : []),
    ],
  };
}

/** From ten minutes on, seconds are left out. */
const duration = (seconds: number) =>
  formatLongDuration((seconds < 600 ? seconds : seconds - (seconds % 60)) * 1000);

/** Returns how many seconds have each level. A year has 31 million, which a loop counts in the least time. */
function countLevels(levels: Int8Array): [good: number, moderate: number, poor: number] {
  const counts: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i] as 0 | 1 | 2 | typeof NO_LEVEL;
    if (level !== NO_LEVEL) counts[level] += 1;
  }
  return counts;
}

function longestRun(levels: Int8Array, isSearched: (level: number) => boolean) {
  const longest = { start: 0, seconds: 0 };
  let start = 0;
  for (let i = 0; i < levels.length; i++) {
    if (!isSearched(levels[i] as number)) start = i + 1;
    else if (i + 1 - start > longest.seconds) {
      longest.start = start;
      longest.seconds = i + 1 - start;
    }
  }
  return longest;
}

describe.each(SPANS)('in %s, %s', (zone, search, from, to) => {
  test(`shows the numbers of the readings themselves, seed ${SEED}`, async () => {
    const page = await openPage(chromium.browser, `${server.url}/history${search}`, { timezoneId: zone });
    await waitForHistory(page);
    for (const metric of METRICS) {
      const numbers = numbersOf(page, metric.name).and(page.locator('[aria-busy=false]'));
      await numbers.waitFor();
      const [names, values, words] = await Promise.all(
        ['dt', 'dd', 'li'].map((tag) => numbers.locator(tag).allTextContents()),
      );
      expect({ figures: names?.map((name, i) => [name, values?.[i]]), words }).toEqual(
        expected(metric, zone, Date.parse(from), Date.parse(to)),
      );
    }
  });
});
