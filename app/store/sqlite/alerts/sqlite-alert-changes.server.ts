import type Database from 'libsql';
import type { AlertChange, OutboxMessage } from '../../alert-store';
import { sqliteRowInserts, type Value } from '../inserts/sqlite-row-inserts.server';
import { sensorRow, TRANSITION_COLUMNS, toMicros, transitionRow } from './sqlite-alert-rows.server';

/**
 * Prepares the writes of changes.
 *
 * @returns converts a change to rows, which takes as long as writing them, and returns a function that writes them in a
 *   transaction
 */
export function sqliteAlertChanges(database: Database.Database): (change: AlertChange) => () => void {
  const clearCursor = database.prepare('delete from alert_progress');
  const insertCursor = database.prepare('insert into alert_progress values (?)');
  const upsertSensors = sqliteRowInserts(
    database,
    'alert_sensors (sensor, air, told, told_at)',
    4,
    'on conflict do update set air = excluded.air, told = excluded.told, told_at = excluded.told_at',
  );
  const deleteUntold = database.prepare(
    `delete from alert_transitions where sensor = ?1 and at = ?2 and state = ?3 and not exists (
      select 1 from alert_messages where sensor = ?1 and at = ?2 and state = ?3
    )`,
  );
  const withdraw = database.prepare(
    'update alert_transitions set is_withdrawn = true where sensor = ? and at = ? and state = ?',
  );
  const upsertTransitions = sqliteRowInserts(
    database,
    `alert_transitions (${TRANSITION_COLUMNS})`,
    9,
    `on conflict (sensor, at, state) do update set before = excluded.before, since = excluded.since,
      co2 = excluded.co2, voc = excluded.voc, air = excluded.air, is_withdrawn = false`,
  );
  const selectLastNumber = database.prepare('select coalesce(max(number), 0) from alert_messages').pluck();
  const insertMessages = sqliteRowInserts(
    database,
    'alert_messages (id, created_at, sensor, at, state, event)',
    6,
    'on conflict (id) do nothing',
  );
  // All rows by one statement: each message has a delivery for each address.
  const insertDeliveries = database.prepare(
    `insert into alert_deliveries (message, address)
    select number, address.value
    from json_each(?) as sent
    join alert_messages as stored on stored.id = sent.value ->> 'id' and number > ?
    cross join json_each(sent.value, '$.addresses') as address
    where true on conflict do nothing`,
  );

  function messageRows(messages: readonly OutboxMessage[]): Value[][] {
    return messages.map(({ id, createdAt, transition, event }) => {
      const [sensor, at, state] = transition ? transitionKey(transition) : [null, null, null];
      return [id, toMicros(createdAt), sensor, at, state, event];
    });
  }

  function addMessages(rows: readonly Value[][], addresses: string): void {
    const [lastNumber] = selectLastNumber.all();
    insertMessages(rows);
    insertDeliveries.run(addresses, lastNumber);
  }

  return ({ cursor, sensors, transitions, withdrawn, messages }) => {
    const sensorRows = sensors.map(sensorRow);
    const transitionRows = transitions.map(transitionRow);
    const withdrawnKeys = withdrawn.map(transitionKey);
    const rows = messageRows(messages);
    const addresses = JSON.stringify(messages.map(({ id, addresses }) => ({ id, addresses })));
    return () => {
      clearCursor.run();
      insertCursor.run(cursor);
      upsertSensors(sensorRows);
      for (const key of withdrawnKeys) {
        deleteUntold.run(...key);
        withdraw.run(...key);
      }
      upsertTransitions(transitionRows);
      if (rows.length > 0) addMessages(rows, addresses);
    };
  };
}

const transitionKey = ({ sensor, at, to }: AlertChange['withdrawn'][number]) =>
  [sensor, toMicros(at), to] as const;
