import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'libsql';
import type { RoomDay, RoomStore } from '../room-store';
import type { sqliteReads } from './reads/sqlite-reads.server';

/** The most days per transaction, which blocks the event loop. */
const TURN_DAYS = 64;

type RoomDayRow = [day: number, key: string, findings: string];

const SELECT_DAYS =
  'select day, key, findings from room_days where sensor = ? and day >= ? and day < ? order by day';

/**
 * Stores findings about rooms in the readings' file.
 *
 * @param writeSoon runs writes in a transaction that doesn't wait for the disk
 */
export function sqliteRoom(
  database: Database.Database,
  {
    run,
    keyOf,
    readRows,
    writeSoon,
  }: Pick<ReturnType<typeof sqliteReads>, 'run' | 'keyOf' | 'readRows'> & {
    writeSoon: (writes: () => void) => void;
  },
): RoomStore {
  const upsert = database.prepare(
    `insert into room_days (sensor, day, key, findings) select id, ?2, ?3, ?4 from sensors
    where name = ?1 and exists (select 1 from data where sensor = sensors.id)
    on conflict do update set key = excluded.key, findings = excluded.findings`,
  );

  return {
    isLasting: true,
    days: ({ sensor, from, to }) =>
      run(async () => {
        const id = await keyOf(sensor);
        if (id === null) return [];
        const rows = await readRows<RoomDayRow>(SELECT_DAYS, id, from, to);
        return rows.map(([day, key, findings]): RoomDay => ({ sensor, day, key, findings }));
      }),
    async keep(days) {
      for (let start = 0; start < days.length; start += TURN_DAYS) {
        if (start > 0) await nextTurn();
        await run(() =>
          writeSoon(() => {
            for (const { sensor, day, key, findings } of days.slice(start, start + TURN_DAYS))
              upsert.run(sensor, day, key, findings);
          }),
        );
      }
    },
  };
}
