import type Database from 'libsql';
import type { Note, NoteInput } from '../../readings/note';
import { formatReadingTime } from '../../readings/time/reading-time';
import { MAX_NOTES, type NoteQuery, type NoteStore } from '../note-store';
import type { sqliteReads } from './reads/sqlite-reads.server';
import type { sqliteSensors } from './reads/sqlite-sensors.server';
import { toMicros, toMicrosOrNull, toTextOrNull } from './schema/sqlite-times.server';

type NoteRow = [id: number, sensor: string, beginsAt: number, endsAt: number | null, text: string];

/** Bounds before and after any note's time, in microseconds. */
const [EARLIEST, LATEST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Parameters: those of `ofSensor`, the earliest end, and the latest beginning (exclusive). */
const newestNotes = (ofSensor: string) => `
select notes.id, name, begins_at, ends_at, text from notes join sensors on sensors.id = sensor
where ${ofSensor} and coalesce(ends_at, begins_at) >= ? and begins_at < ?
order by begins_at desc, notes.id desc limit ${MAX_NOTES}`;

/**
 * Stores notes in the readings' file.
 *
 * @param write runs writes in a transaction that is durable when it returns
 */
export function sqliteNotes(
  database: Database.Database,
  {
    sensors,
    run,
    keyOf,
    readRows,
    write,
  }: Pick<ReturnType<typeof sqliteReads>, 'run' | 'keyOf' | 'readRows'> & {
    sensors: ReturnType<typeof sqliteSensors>;
    write: (writes: () => void) => void;
  },
): NoteStore {
  const insert = database.prepare('insert into notes (sensor, begins_at, ends_at, text) values (?, ?, ?, ?)');
  const remove = database.prepare('delete from notes where id = ?');

  /** Stores a note in a transaction, and creates its sensor if missing. */
  function store({ sensor, from, to, text }: NoteInput): Note {
    const [beginsAt, endsAt] = [toMicros(from), toMicrosOrNull(to)];
    let id = 0;
    try {
      write(() => {
        sensors.refresh();
        id = Number(insert.run(sensors.ensure(sensor), beginsAt, endsAt, text).lastInsertRowid);
      });
    } catch (error) {
      sensors.forget();
      throw error;
    }
    return toNote([id, sensor, beginsAt, endsAt, text]);
  }

  async function list({ sensor, from, to }: NoteQuery): Promise<Note[]> {
    const span = [from === undefined ? EARLIEST : toMicros(from), to === undefined ? LATEST : toMicros(to)];
    const key = sensor === undefined ? undefined : await keyOf(sensor);
    if (key === null) return [];
    const rows = await (key === undefined
      ? readRows<NoteRow>(newestNotes('true'), ...span)
      : readRows<NoteRow>(newestNotes('sensor = ?'), key, ...span));
    return rows.map(toNote).reverse();
  }

  return {
    add: (note) => run(() => store(note)),
    list: (query) => run(() => list(query)),
    remove: (id) =>
      run(() => {
        let isRemoved = false;
        write(() => {
          isRemoved = remove.run(id).changes > 0;
        });
        return isRemoved;
      }),
  };
}

function toNote([id, sensor, beginsAt, endsAt, text]: NoteRow): Note {
  return { id, sensor, from: formatReadingTime(beginsAt), to: toTextOrNull(endsAt), text };
}
