import type Database from 'libsql';
import { type Corrector, correctorOf, type RawValues } from '../../readings/correction';
import { byMetric, type MetricField } from '../../readings/metric';
import type { SqliteMetrics } from './file/sqlite-metrics.server';
import type { Row } from './reads/sqlite-reader.server';

/** Readings per transaction, which blocks the event loop. */
const TURN_READINGS = 200;

/** After every time of a reading, in microseconds since 1970. */
const END = Number.MAX_SAFE_INTEGER;

/** A sensor's readings measured at or after `first` and before `until` must be corrected again. */
interface Span {
  sensor: number;
  first: number;
  until: number;
}

export type SqliteCorrections = ReturnType<typeof sqliteCorrections>;

/**
 * Corrects stored readings again after a change of corrections, from the newest to the oldest one. The file keeps how far it is.
 * Every method is synchronous and throws libsql's errors; call them in a transaction.
 *
 * @param ofSensor returns the function that corrects a sensor's readings; undefined if it has no corrections
 */
export function sqliteCorrections(
  database: Database.Database,
  metrics: SqliteMetrics,
  ofSensor: (sensor: number) => Corrector | undefined,
) {
  const mark = database.prepare(
    `insert into uncorrected_spans (sensor, first, until) values (?, ?, ${END})
    on conflict do update set first = min(first, excluded.first), until = excluded.until`,
  );
  const selectSpan = database.prepare('select sensor, first, until from uncorrected_spans limit 1');
  const selectSpanOf = database.prepare(
    'select sensor, first, until from uncorrected_spans where sensor = ?',
  );
  const setUntil = database.prepare('update uncorrected_spans set until = ? where sensor = ?');
  const unmark = database.prepare('delete from uncorrected_spans where sensor = ?');
  const statements = metrics.each((fields) => ({
    select: database
      .prepare(
        `select id, sensor, created_at, ${fields}, raw from data
        where sensor = ? and created_at >= ? and created_at < ? order by created_at desc limit ${TURN_READINGS}`,
      )
      .raw(),
    // One statement for all rows takes half the time of one for each.
    update: database.prepare(
      `update data set raw = value ->> 1, ${fields.map((field, i) => `${field} = value ->> ${i + 2}`)}
      from json_each(?) where data.id = value ->> 0`,
    ),
  }));
  const unchanged = correctorOf([]);

  /** Corrects the newest readings of a span. Returns true if these are the sensor's newest ones. */
  function correct({ sensor, first, until }: Span): boolean {
    const fields = metrics.fields();
    const { select, update } = statements();
    const rows = select.all(sensor, first, until) as Row[];
    const corrector = ofSensor(sensor) ?? unchanged;
    const changed: (number | string | null)[][] = [];
    for (const row of rows) {
      const stored = row.slice(3) as (number | null)[];
      const before = row.at(-1) as string | null;
      const known: RawValues = before === null ? {} : JSON.parse(before);
      const posted = byMetric(({ field }) => known[field] ?? stored[fields.indexOf(field)] ?? null);
      const { values, raw } = corrector(posted, row[2]);
      const after = raw && JSON.stringify(raw);
      const isChanged = (field: MetricField, i: number) => (values[field] ?? null) !== stored[i];
      if (after !== before || fields.some(isChanged))
        changed.push([row[0], after, ...fields.map((field) => values[field] ?? null)]);
    }
    update.run(JSON.stringify(changed));
    const oldest = rows.at(-1);
    if (rows.length < TURN_READINGS || !oldest) unmark.run(sensor);
    else setUntil.run(oldest[2], sensor);
    return until === END;
  }

  return {
    /** Marks a sensor's readings from a time on, in microseconds since 1970. */
    mark: (sensor: number, first: number): void => void mark.run(sensor, first),

    /** Returns a span with readings to correct. */
    next: (): Span | undefined => (selectSpan.all() as Span[])[0],

    /** Corrects a sensor's newest readings, if they are marked. */
    correctNewest(sensor: number): void {
      const [span] = selectSpanOf.all(sensor) as Span[];
      if (span) correct(span);
    },

    correct,
  };
}
