import { setImmediate as nextTurn } from 'node:timers/promises';
import { hearReadings, newestHeardFirst } from '../../readings/heard-sensors';
import { compareReadings, type Reading, type SensorSummary } from '../../readings/reading';
import { PAGE_SENSORS, type sqliteQueries } from './sqlite-queries.server';
import type { sqliteSensors } from './sqlite-sensors.server';

/**
 * Lists sensors. Those heard last stay in memory and are kept up to date by `hear`: every page shows them, and any client
 * may make sensors, so a page load must not read all of them.
 *
 * @param run runs a query
 */
export function sqliteHeardSensors(
  queries: ReturnType<typeof sqliteQueries>,
  keys: Pick<ReturnType<typeof sqliteSensors>, 'idOf'>,
  run: <T>(query: () => T) => Promise<T>,
) {
  let heard: readonly SensorSummary[] | null = null;
  /** The data version that `heard` was read at. */
  let version = -1;
  let loading: Promise<void> | null = null;
  /** Readings that were stored while the sensors were read. */
  let storedMeanwhile: Reading[] = [];

  /** Returns every sensor that has readings, unsorted. */
  async function readAll(): Promise<SensorSummary[]> {
    const found: SensorSummary[] = [];
    for (let key = 0; ; ) {
      const page = await run(() => queries.sensorsAfter(key));
      found.push(...page.map(({ summary }) => summary));
      if (page.length < PAGE_SENSORS) break;
      key = page.at(-1)?.key ?? key;
      await nextTurn();
    }
    return found;
  }

  function summaryOf(name: string): SensorSummary | undefined {
    const key = keys.idOf(name);
    return key === null ? undefined : queries.sensor(key);
  }

  async function load(): Promise<void> {
    storedMeanwhile = [];
    version = await run(queries.dataVersion);
    const sensors = newestHeardFirst(await readAll());
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
    /** Returns every sensor that has readings, the one with the newest reading first. */
    all: async () => (await readAll()).sort((a, b) => compareReadings(b.newest, a.newest)),
    /** Returns the sensors heard last, as `newestHeardFirst` orders them. */
    async last(shown?: string): Promise<SensorSummary[]> {
      if ((await run(queries.dataVersion)) !== version) heard = null;
      if (!heard) {
        loading ??= load().finally(() => {
          loading = null;
        });
        await loading;
      }
      const known = heard ?? [];
      const isKnown = shown === undefined || known.some(({ name }) => name === shown);
      const own = isKnown ? undefined : await run(() => summaryOf(shown));
      return newestHeardFirst(own ? [...known, own] : known, shown);
    },
    /** Notes readings that were stored. */
    hear,
  };
}
