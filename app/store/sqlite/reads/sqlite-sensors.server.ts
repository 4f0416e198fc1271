import type Database from 'libsql';
import { addToSensors, newestFirst } from '../../../readings/known-sensors';
import type { MetricField } from '../../../readings/metric';
import type { Reading, SensorSummary } from '../../../readings/reading';
import { formatReadingTime } from '../../../readings/time/reading-time';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import { type ReadRows, type Row, toReading } from './sqlite-reader.server';

/** The most names kept in memory, because any client may create sensors. */
const KEPT = 10_000;

/** Translates between a sensor's name and its key in the database. Call `refresh` in each transaction. */
export function sqliteSensors(database: Database.Database) {
  const selectVersion = database.prepare('pragma data_version').pluck();
  const selectId = database.prepare('select id from sensors where name = ?').pluck();
  const selectTwo = database.prepare('select id from sensors limit 2').pluck();
  const selectAlias = database
    .prepare(
      'select id, sensors.name from sensor_aliases join sensors on id = sensor where sensor_aliases.name = ?',
    )
    .raw();
  const insert = database.prepare('insert into sensors (name) values (?)');
  const ids = new Map<string, number>();
  const names = new Map<number, string>();

  function keep(name: string, id: number): void {
    if (ids.size >= KEPT) forget();
    ids.set(name, id);
    names.set(id, name);
  }

  let version = 0;
  /** The key of the only sensor; null if there are several or none; undefined if it has to be read. */
  let only: number | null | undefined;

  let forgotten = 0;

  function forget(): void {
    forgotten += 1;
    ids.clear();
    names.clear();
    only = undefined;
  }

  /** Returns a sensor's key, or null if there is no sensor with that name. */
  function idOf(name: string): number | null {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const [id = null] = selectId.all(name) as number[];
    if (id !== null) keep(name, id);
    return id;
  }

  return {
    /** Forgets all names, for example after a rollback. */
    forget,
    /** Changes with each `forget`: what was read before must not be kept after it. */
    forgotten: (): number => forgotten,
    /** Forgets all names if another program, such as the sqlite3 shell, has changed the database. */
    refresh(): void {
      const [current = 0] = selectVersion.all() as number[];
      if (current !== version) forget();
      version = current;
    },
    idOf,
    /** Returns the key of the only sensor; null if there are several or none. */
    only(): number | null {
      if (only === undefined) {
        const [key = null, other] = selectTwo.all() as number[];
        only = other === undefined ? key : null;
      }
      return only;
    },
    /** Returns a sensor's key if it is in memory. */
    knownId: (name: string): number | undefined => ids.get(name),
    /** Returns a sensor's name if it is in memory. */
    knownName: (id: number): string | undefined => names.get(id),
    keep,
    /** Returns a sensor's key, and creates the sensor if missing. A former name stands for its sensor. */
    ensure(name: string): number {
      const known = idOf(name);
      if (known !== null) return known;
      const [[renamed, current] = []] = selectAlias.all(name) as [number, string][];
      if (renamed !== undefined && current !== undefined) {
        keep(current, renamed);
        return renamed;
      }
      const id = Number(insert.run(name).lastInsertRowid);
      only = undefined;
      keep(name, id);
      return id;
    },
  };
}

/** Names per page. Each costs an index entry. */
const PAGE_NAMES = 2000;

/** The sensors of deleted readings stay in the table, so they are left out. */
const SELECT_NAMES = `
  select id, name from sensors
  where id > ? and (exists (select 1 from data where sensor = sensors.id)
    or exists (select 1 from notes where sensor = sensors.id))
  order by id limit ${PAGE_NAMES}`;

/** Returns the names of the sensors with readings or notes. */
export async function sensorNames(readRows: ReadRows): Promise<string[]> {
  const names: string[] = [];
  for (let key = -1; ; ) {
    const page = await readRows<[key: number, name: string]>(SELECT_NAMES, key);
    for (const [, name] of page) names.push(name);
    if (page.length < PAGE_NAMES) return names;
    key = page.at(-1)?.[0] ?? key;
  }
}

/** Sensors per page. Each costs a few index entries. */
const PAGE_SENSORS = 200;

/** A sensor's key, name and first time, and its newest row. */
type SummaryRow = [key: number, name: string, first: number, ...Row];

const summaries = (fields: readonly MetricField[], selected: string) => `
  select sensors.id, name, (select min(created_at) from data where sensor = sensors.id) as first,
    data.id as newest, sensor, created_at, ${fields}, raw
  from sensors join data on data.id =
    (select id from data where sensor = sensors.id order by created_at desc limit 1)
  where sensors.${selected}`;

/** Returns the queries for sensors: by key, by name, after a key, and in the order of names. */
export const summaryQueries = (fields: readonly MetricField[]) => ({
  of: summaries(fields, 'id = ?'),
  named: summaries(fields, 'name = ?'),
  after: summaries(fields, `id > ? order by sensors.id limit ${PAGE_SENSORS}`),
  fromName: summaries(fields, `name >= ? order by name limit ${PAGE_SENSORS}`),
  afterName: summaries(fields, `name > ? order by name limit ${PAGE_SENSORS}`),
});

/** The summary of a sensor, its key, and the time of its newest reading in microseconds since 1970. */
interface Summary {
  key: number;
  time: number;
  summary: SensorSummary;
}

/** Reads sensors with their newest readings. */
export function sqliteSummaries(database: Database.Database, metrics: SqliteMetrics, readRows: ReadRows) {
  const queries = metrics.each(summaryQueries);
  const select = metrics.each((fields) => database.prepare(summaryQueries(fields).of).raw());

  /**
   * Returns a function that converts rows. Call it before the query, because the columns depend on the metrics at that
   * time.
   */
  function converter() {
    const fields = metrics.fields();
    return ([key, name, first, ...row]: SummaryRow): Summary => {
      const newest = toReading(row, fields, name);
      const summary = {
        name,
        newest,
        first_heard: formatReadingTime(first),
        last_heard: newest.created_at,
      };
      return { key, time: row[2], summary };
    };
  }

  return {
    /** Returns up to `PAGE_SENSORS` sensors with readings whose keys are above `key`, ordered by key. */
    async after(key: number): Promise<Summary[]> {
      const convert = converter();
      return (await readRows<SummaryRow>(queries().after, key)).map(convert);
    },

    /** Returns up to `PAGE_SENSORS` sensors with readings whose names follow `name`, or the first ones, ordered by name. */
    async afterName(name: string | undefined): Promise<SensorSummary[]> {
      const convert = converter();
      const { fromName, afterName } = queries();
      const rows = await readRows<SummaryRow>(name === undefined ? fromName : afterName, name ?? '');
      return rows.map((row) => convert(row).summary);
    },

    /** Returns the sensor with this name; undefined if it has no readings. */
    async named(name: string): Promise<SensorSummary | undefined> {
      const convert = converter();
      return (await readRows<SummaryRow>(queries().named, name)).map(convert)[0]?.summary;
    },

    /** Returns a sensor; undefined if it has no readings. Blocks the event loop, so it is only used after an insert. */
    of: (key: number): SensorSummary | undefined =>
      (select().all(key) as SummaryRow[]).map(converter())[0]?.summary,
  };
}

/**
 * Lists sensors. The sensors with the last received readings, the only ones that a page shows, stay in memory, and `hear`
 * updates them. Reading all sensors for each page would be slow, because any client may create sensors.
 *
 * @param dataVersion returns a number that changes when another program has changed the database
 * @param run runs a query, and repeats it while another process holds the lock
 */
export function sqliteHeardSensors(
  summaries: ReturnType<typeof sqliteSummaries>,
  keys: Pick<ReturnType<typeof sqliteSensors>, 'idOf'>,
  dataVersion: () => number,
  run: <T>(query: () => T | Promise<T>) => Promise<T>,
) {
  let heard: readonly SensorSummary[] | null = null;
  /** The data version that `heard` belongs to. */
  let version = -1;
  let loading: Promise<void> | null = null;
  /** The readings that were stored while the sensors were being read. */
  let storedMeanwhile: Reading[] = [];

  /** Yields every sensor with readings, unsorted, in pages. */
  async function* readPages(): AsyncGenerator<Summary[]> {
    for (let key = 0; ; ) {
      const page = await summaries.after(key);
      yield page;
      if (page.length < PAGE_SENSORS) return;
      key = page.at(-1)?.key ?? key;
    }
  }

  /** Returns `limit` sensors whose names follow `after`, ordered by name. */
  async function byName(limit = Number.POSITIVE_INFINITY, after?: string): Promise<SensorSummary[]> {
    const sensors: SensorSummary[] = [];
    while (sensors.length < limit) {
      const page = await summaries.afterName(sensors.at(-1)?.name ?? after);
      sensors.push(...page);
      if (page.length < PAGE_SENSORS) break;
    }
    return sensors.slice(0, limit);
  }

  function summaryOf(name: string): SensorSummary | undefined {
    const key = keys.idOf(name);
    return key === null ? undefined : summaries.of(key);
  }

  async function load(): Promise<void> {
    storedMeanwhile = [];
    version = await run(dataVersion);
    let sensors: SensorSummary[] = [];
    for await (const page of readPages()) {
      sensors = newestFirst([...sensors, ...page.map(({ summary }) => summary)]);
    }
    await run(() => {
      heard = withReadings(sensors, storedMeanwhile);
    });
  }

  function withReadings(sensors: readonly SensorSummary[], readings: readonly Reading[]) {
    const before = new Set(sensors.map(({ name }) => name));
    const after = addToSensors(sensors, readings);
    // A sensor that wasn't in the list may have more readings than these, so its summary is read.
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
    byName,
    /** Returns the sensors with the last received readings, ordered by `newestFirst`. */
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
      const own = isKnown ? undefined : await summaries.named(shown);
      return newestFirst(own ? [...known, own] : known, shown);
    },
    /** Updates the list after readings were stored. */
    hear,
    /** Forgets the list. The next call reads it. */
    forget(): void {
      heard = null;
      // A list that is being read may have the names from before.
      version = -1;
    },
  };
}
