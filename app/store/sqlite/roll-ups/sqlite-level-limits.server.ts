import type Database from 'libsql';
import type { Thresholds } from '../../../readings/level/level';
import { METRICS } from '../../../readings/metric';

/**
 * Keeps the limits that the roll-ups of a file are computed with. With other ones than before, all of them are stale.
 *
 * @param limits those of this process
 * @param write runs writes in a transaction
 */
export function sqliteLevelLimits(
  database: Database.Database,
  limits: Thresholds,
  write: (writes: () => void) => void,
) {
  const select = database.prepare('select * from level_limits').raw();
  const insert = database.prepare('insert into level_limits values (?, ?, ?, ?)');
  const row = METRICS.flatMap(({ field }) => [limits[field].good, limits[field].moderate]);
  let isSet = false;

  /** Has roll-ups computed with the limits of this process from now on. */
  function set(): void {
    if (isSet) return;
    const [known] = select.all() as number[][];
    if (!known?.every((limit, i) => limit === row[i])) {
      write(() => {
        database.exec(`insert into stale_days (sensor, day) select sensor, start from roll_ups where step = 86400
          on conflict do nothing; delete from level_limits`);
        insert.run(...row);
      });
    }
    isSet = true;
  }

  return {
    limits,
    set,
    /** Returns whether roll-ups are computed with these limits. */
    isKeptFor(thresholds: Thresholds): boolean {
      const isSame = METRICS.every(
        ({ field }) =>
          thresholds[field].good === limits[field].good &&
          thresholds[field].moderate === limits[field].moderate,
      );
      if (!isSame) return false;
      try {
        set();
      } catch {
        // The disk may be full, or another program may have the lock.
      }
      return isSet;
    },
  };
}
