import type { RoomDay } from '../../../app/store/room-store';
import { formatTime, parseTime } from './postgrest-functions';

/** A row of `notes`. Times are in microseconds since 1970. */
interface NoteRow {
  id: number;
  sensor: string;
  beginsAt: bigint;
  endsAt: bigint | null;
  text: string;
}

interface SentNote {
  sensor: string;
  begins_at: string;
  ends_at: string | null;
  text: string;
}

interface Asked {
  of_sensor: string | null;
  since: string | null;
  until: string | null;
  at_most: number;
}

/** The tables `notes` and `room_days` and their functions. */
export class PostgrestRooms {
  notes: NoteRow[] = [];
  days: RoomDay[] = [];
  #lastId = 0;

  /** Inserts a note, and returns its row; null if a constraint is violated. */
  add({ sensor, begins_at, ends_at, text }: SentNote): object | null {
    const [beginsAt, endsAt] = [parseTime(begins_at), ends_at === null ? null : parseTime(ends_at)];
    if (text === '' || (endsAt !== null && endsAt <= beginsAt)) return null;
    this.#lastId += 1;
    const note = { id: this.#lastId, sensor, beginsAt, endsAt, text };
    this.notes.push(note);
    return format(note);
  }

  list({ of_sensor, since, until, at_most }: Asked): object[] {
    return this.notes
      .filter(
        ({ sensor, beginsAt, endsAt }) =>
          (of_sensor === null || sensor === of_sensor) &&
          (since === null || (endsAt ?? beginsAt) >= parseTime(since)) &&
          (until === null || beginsAt < parseTime(until)),
      )
      .sort((a, b) => Number(a.beginsAt - b.beginsAt) || a.id - b.id)
      .slice(-at_most)
      .map(format);
  }

  remove(id: number): object[] {
    const removed = this.notes.filter((note) => note.id === id);
    this.notes = this.notes.filter((note) => note.id !== id);
    return removed.map(format);
  }

  load(asked: { of_sensor: string; since: number; until: number; at_most: number }): RoomDay[] {
    return this.days
      .filter(({ sensor, day }) => sensor === asked.of_sensor && day >= asked.since && day < asked.until)
      .sort((a, b) => a.day - b.day)
      .slice(0, asked.at_most);
  }

  /** @param isKnown returns true for a sensor with readings */
  keep(sent: readonly RoomDay[], isKnown: (sensor: string) => boolean): void {
    for (const day of sent.filter(({ sensor }) => isKnown(sensor))) {
      this.days = this.days.filter((known) => known.sensor !== day.sensor || known.day !== day.day);
      this.days.push(day);
    }
  }
}

function format({ id, sensor, beginsAt, endsAt, text }: NoteRow): object {
  const time = (micros: bigint) => formatTime(micros, 'hosted');
  return { id, sensor, begins_at: time(beginsAt), ends_at: endsAt === null ? null : time(endsAt), text };
}
