import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAverage, formatValue } from '../../app/readings/format/format-value';
import { MAIN_METRICS, type Metric, metricOf } from '../../app/readings/metric';
import type { Reading } from '../../app/readings/reading';
import { formatLongDuration } from '../../app/readings/time/durations';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { numbersOf, spanLink } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { levelBySecond, NO_LEVEL, randomHistory } from '../support/history/roll-up-readings';
import { storeReadings } from '../support/readings/database';
import { THRESHOLDS } from '../support/readings/readings';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const SEED = 20261121;
const HOUR_MS = 3_600_000;

const SHOWN = [...MAIN_METRICS, metricOf('pm25'), metricOf('humidity')];

const chromium = withChromium();
let server: RunningServer;

/** Spans around clock changes, in the order in which a page shows them. */
const SPANS = [
  {
    zone: 'Europe/Berlin',
    search: '?span=week&date=2025-03-30',
    spans: [
      ['week', '2025-03-23T23:00Z', '2025-03-30T22:00Z'],
      ['month', '2025-02-28T23:00Z', '2025-03-31T22:00Z'],
    ],
  },
  {
    // Hours start at half past the hours of UTC.
    zone: 'America/St_Johns',
    search: '?date=2024-11-03',
    spans: [
      ['day', '2024-11-03T02:30Z', '2024-11-04T03:30Z'],
      ['year', '2024-01-01T03:30Z', '2025-01-01T03:30Z'],
    ],
  },
  {
    // Clocks change by half an hour.
    zone: 'Australia/Lord_Howe',
    search: '?from=2025-04-05T14:07:13Z&to=2025-04-06T01:23:45Z',
    spans: [['part', '2025-04-05T14:07:13Z', '2025-04-06T01:23:45Z']],
  },
] as const;

/** Readings of one sensor around all of these days, with gaps, nulls, and intervals from a second to an hour. */
const readings = (() => {
  const random = seededRandom(SEED);
  const around = ['2024-11-01T00:00Z', '2025-03-26T00:00Z', '2025-04-03T00:00Z'].flatMap((start) =>
    randomHistory(random, Date.parse(start) / 1000, 6 * 86_400, 2500),
  );
  return around.map((reading, i) => ({
    ...reading,
    id: i + 1,
    // PM2.5 of all levels, and humidity on both sides of its band.
    pm25: reading.voc === null ? null : reading.voc / 20,
    humidity: reading.co2 === null ? null : reading.co2 / 25,
  }));
})();

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath, env: { TZ: 'Asia/Kathmandu' } });
});

afterAll(() => server.stop());

/** The numbers and texts of a metric's card. */
interface Card {
  figures: [name: string, value: string][];
  words: string[];
}

/** Computes the card that the page has to show from the readings. */
function expected(metric: Metric, zone: string, from: number, to: number): Card {
  const { field, unit, band } = metric;
  const isInside = ({ created_at }: Reading) => Date.parse(created_at) >= from && Date.parse(created_at) < to;
  const inside = readings.filter((reading) => isInside(reading) && typeof reading[field] === 'number');
  const values = inside.map((reading) => reading[field] as number);
  const threshold = THRESHOLDS[field];
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...(to - from > 25 * HOUR_MS && { day: 'numeric', month: 'short', year: 'numeric' }),
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
  // Millions of seconds of a year are far from all readings, and have no level.
  const near = readings
    .map(({ created_at }) => Date.parse(created_at))
    .filter((time) => isNear(time, from, to));
  const levelsFrom = Math.max(from, Math.floor(Math.min(...near) / 1000) * 1000 - 300_000);
  const levelsTo = Math.min(to, Math.ceil(Math.max(...near) / 1000) * 1000 + 2 * HOUR_MS);
  const levels = levelBySecond(readings, field, levelsFrom / 1000, levelsTo / 1000);
  const [good, moderate, poor] = countLevels(levels);
  const begin = Math.max(from, Math.min(...readings.map(({ created_at }) => Date.parse(created_at))));
  const without = (to - begin) / 1000 - good - moderate - poor;
  const above = (limit: number, seconds: number, isSearched: (level: number) => boolean) => {
    if (seconds === 0) return `above ${limit} ${unit} never`;
    const longest = longestRun(levels, isSearched);
    const length = longest.seconds < seconds ? `longest ${duration(longest.seconds)} ` : '';
    return `above ${limit} ${unit} for ${duration(seconds)}, ${length}from ${timeOf(levelsFrom + longest.start * 1000)}`;
  };
  const outside = `outside ${band?.from} to ${band?.to} ${unit} `;
  return {
    figures: [
      [`lowest, ${at(lowest)}`, formatValue(lowest, threshold, metric)],
      ['average', formatAverage(average, threshold, { lowest, highest }, metric)],
      [`highest, ${at(highest)}`, formatValue(highest, threshold, metric)],
    ],
    words: !threshold
      ? [moderate ? `${outside}for ${formatLongDuration(moderate * 1000)}` : `${outside}never`]
      : [
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

/** The level of a reading lasts for little more than an hour after it. */
const isNear = (time: number, from: number, to: number) => from - 2 * HOUR_MS < time && time < to;

/** From ten minutes up, seconds are omitted. */
const duration = (seconds: number) =>
  formatLongDuration((seconds < 600 ? seconds : seconds - (seconds % 60)) * 1000);

/** Returns the number of seconds at each level. */
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

test.each(SPANS)(
  `shows the numbers computed from the readings in $zone, seed ${SEED}`,
  async ({ zone, search, spans }) => {
    const page = await openPage(chromium.browser, `${server.url}/history${search}`, { timezoneId: zone });
    for (const [i, [name, from, to]] of spans.entries()) {
      if (i > 0) await spanLink(page, name).click();
      for (const metric of SHOWN) {
        // The numbers of the previous span stay for a moment.
        await expect
          .poll(() => cardOn(page, metric), {
            timeout: 60_000,
            interval: 100,
            message: `${name} ${metric.name}`,
          })
          .toEqual(expected(metric, zone, Date.parse(from), Date.parse(to)));
      }
    }
  },
);

/** Returns the card that the page shows; null while it loads. */
async function cardOn(page: Page, { name }: Metric): Promise<Card | null> {
  const numbers = numbersOf(page, name).and(page.locator('[aria-busy=false]'));
  if ((await numbers.count()) === 0) return null;
  return numbers.evaluate((card) => {
    const textsOf = (tag: string) =>
      [...card.querySelectorAll(tag)].map(({ textContent }) => textContent ?? '');
    const values = textsOf('dd');
    return { figures: textsOf('dt').map((name, i) => [name, values[i] ?? '']), words: textsOf('li, dl + p') };
  });
}
