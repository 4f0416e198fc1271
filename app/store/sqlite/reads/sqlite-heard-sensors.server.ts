import { eventLoopTurns } from '../../../config/event-loop-turns.server';
import { hearReadings, newestHeardFirst } from '../../../readings/heard-sensors';
import { compareReadings, type Reading, type SensorSummary } from '../../../readings/reading';
import { mergeSorted } from './merge-sorted.server';
import type { sqliteSensors } from './sqlite-sensors.server';
import { PAGE_SENSORS, type sqliteSummaries } from './sqlite-summaries.server';

const nextTurn = eventLoopTurns();

const byNewest = (a: SensorSummary, b: SensorSummary) => compareReadings(b.newest, a.newest);

/**
 * Lists sensors. Those heard last stay in memory and are kept up to date by `hear`: every page shows them, and any client
 * may make sensors, so a page load must not read all of them.
 *
 * @param dataVersion returns a number that changes when another program has changed the database
 * @param run runs a query
 */
export function sqliteHeardSensors(
  summaries: ReturnType<typeof sqliteSummaries>,
  keys: Pick<ReturnType<typeof sqliteSensors>, 'idOf'>,
  dataVersion: () => number,
  run: <T>(query: () => T | Promise<T>) => Promise<T>,
) {
  let heard: readonly SensorSummary[] | null = null;
  /** The data version that `heard` was read at. */
  let version = -1;
  let loading: Promise<void> | null = null;
  /** Readings that were stored while the sensors were read. */
  let storedMeanwhile: Reading[] = [];

  /** Yields every sensor that has readings, unsorted, a page at a time. */
  async function* readPages(): AsyncGenerator<SensorSummary[]> {
    for (let key = 0; ; ) {
      const page = await run(() => summaries.after(key));
      yield page.map(({ summary }) => summary);
      if (page.length < PAGE_SENSORS) return;
      key = page.at(-1)?.key ?? key;
    }
  }

  /** Returns every sensor that has readings, the one with the newest reading first. */
  async function all(): Promise<SensorSummary[]> {
    const pages: SensorSummary[][] = [];
    for await (const page of readPages()) pages.push(page.sort(byNewest));
    return mergeSorted(pages, byNewest, nextTurn);
  }

  function summaryOf(name: string): SensorSummary | undefined {
    const key = keys.idOf(name);
    return key === null ? undefined : summaries.of(key);
  }

  async function load(): Promise<void> {
    storedMeanwhile = [];
    version = await run(dataVersion);
    let sensors: SensorSummary[] = [];
    for await (const page of readPages()) sensors = newestHeardFirst([...sensors, ...page]);
    await run(() => {
      heard = withReadings(sensors, storedMeanwhile);
    });
  }

  function withReadings(sensors: readonly SensorSummary[], readings: readonly Reading[]) {
    const before = new Set(sensors.map(({ name }) => name));
    const after = hearReadings(sensors, readings);
    // A sensor that returns to the list has older readings than these.
    return after.map((sensor) => (before.has(sensor.name) ? sensor : (summaryOf(sensor.name) ?? sensor)));
  }

  function hear(readings: readonly Reading[]): void {
    if (loading) storedMeanwhile.push(...readings);
    else if (heard) {
      try {
        heard = withReadings(heard, readings);
      } catch {
        // The readings are stored even if this query fails.
        heard = null;
      }
    }
  }

  return {
    all,
    /** Returns the sensors heard last, as `newestHeardFirst` orders them. */
    async last(shown?: string): Promise<SensorSummary[]> {
      if ((await run(dataVersion)) !== version) heard = null;
      if (!heard) {
        loading ??= load().finally(() => {
          loading = null;
        });
        await loading;
      }
      const known = heard ?? [];
      const isKnown = shown === undefined || known.some(({ name }) => name === shown);
      const own = isKnown ? undefined : await run(() => summaries.named(shown));
      return newestHeardFirst(own ? [...known, own] : known, shown);
    },
    /** Notes readings that were stored. */
    hear,
  };
}
