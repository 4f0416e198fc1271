import type Database from 'libsql';

/** Rows of a step: their removal takes a few milliseconds. */
const STEP_TRANSITIONS = 200;
/** A message takes its deliveries and attempts with it, of which it may have a hundred. */
const STEP_MESSAGES = 50;

type Row = [time: number, number: number, isKept: number];

/** A sensor's last transition stays, however old it is. */
const OLD_TRANSITIONS = `
select at, id, not is_withdrawn and not exists (
  select 1 from alert_transitions as later
  where later.sensor = old.sensor and (later.at, later.id) > (old.at, old.id) and not later.is_withdrawn
)
from alert_transitions as old
where at < ? and (at, id) > (?, ?) order by at, id limit ${STEP_TRANSITIONS}`;

/** A message stays while one of its deliveries is pending. */
const OLD_MESSAGES = `
select created_at, number, exists (
  select 1 from alert_deliveries where message = number and state = 'pending'
)
from alert_messages
where created_at < ? and (created_at, number) > (?, ?) order by created_at, number limit ${STEP_MESSAGES}`;

/** Prepares the removal of what is from before a time, in microseconds since 1970. */
export function sqliteAlertPruning(database: Database.Database) {
  const tables = [
    { select: OLD_TRANSITIONS, remove: 'delete from alert_transitions where id = ?' },
    { select: OLD_MESSAGES, remove: 'delete from alert_messages where number = ?' },
  ].map(({ select, remove }) => ({
    select: database.prepare(select).raw(),
    remove: database.prepare(remove),
  }));

  /** Returns a function that takes a step in a transaction, and returns false if nothing was left. */
  return (before: number): (() => boolean) => {
    const left = [...tables];
    let position = [Number.MIN_SAFE_INTEGER, 0];
    return () => {
      const [table] = left;
      if (!table) return false;
      const rows = table.select.all(before, ...position) as Row[];
      for (const [, number, isKept] of rows) if (!isKept) table.remove.run(number);
      const last = rows.at(-1);
      position = last ? [last[0], last[1]] : [Number.MIN_SAFE_INTEGER, 0];
      if (!last) left.shift();
      return true;
    };
  };
}
