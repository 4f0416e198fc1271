import type Database from 'libsql';
import type { AirState } from '../../../readings/air/air-state';
import { formatReadingTime } from '../../../readings/time/reading-time';
import {
  type AlertStore,
  type Attempt,
  type OutboxMessage,
  RECORDED_ATTEMPTS,
  type RecordedDelivery,
  type RecordedMessage,
  WAITING_DELIVERIES,
  type Waiting,
} from '../../alert-store';
import { sqliteRowInserts } from '../inserts/sqlite-row-inserts.server';
import { toMicros, toMicrosOrNull, toTextOrNull } from '../schema/sqlite-times.server';

type WaitingRow = [
  id: string,
  createdAt: number,
  event: string,
  attempts: number,
  retryAt: number | null,
  firstSeen: number,
  isSummary: number,
];

type TransitionKey = readonly [sensor: string, at: number, state: AirState];
type MessageRow = [number: number, id: string, createdAt: number, event: string];
type RecordedRow = [number: number, messageId: string, address: string, state: RecordedDelivery['state']];

/**
 * The pending messages of an address. A message without a transition names its sensor in its event. A summary names no
 * sensor.
 */
const PENDING = `
select number, message.id, created_at, event, attempts, retry_at, is_summary,
  coalesce(message.sensor, iif(is_summary, null, event ->> '$.sensor'), message.id) as about,
  coalesce(message.state, event ->> '$.state') as state
from alert_deliveries as delivery
join (
  select *, sensor is null and event ->> '$.kind' is 'summary' as is_summary from alert_messages
) as message on number = delivery.message
where delivery.address = ?1 and delivery.state = 'pending'`;

/**
 * Prepares the queries and writes for messages.
 *
 * @param write runs writes in a transaction that is durable when it returns
 */
export function sqliteOutbox(database: Database.Database, write: (writes: () => void) => void) {
  const selectLastNumber = database.prepare('select coalesce(max(number), 0) from alert_messages').pluck();
  const insertMessages = sqliteRowInserts(
    database,
    'alert_messages (id, created_at, sensor, at, state, event)',
    6,
    'on conflict (id) do nothing',
  );
  // One statement for all rows, because each message has a delivery for each address.
  const insertDeliveries = database.prepare(
    `insert into alert_deliveries (message, address)
    select number, address.value
    from json_each(?) as sent
    join alert_messages as stored on stored.id = sent.value ->> 'id' and number > ?
    cross join json_each(sent.value, '$.addresses') as address
    where true on conflict do nothing`,
  );
  const selectOutdated = database
    .prepare(
      `select number from (
        select number, row_number() over (partition by about order by number desc) as age from (${PENDING})
      ) where age > 1`,
    )
    .pluck();
  const selectFirst = database
    .prepare(
      `select pending.id, created_at, event, attempts, retry_at, coalesce(sensors.id, ${Number.MAX_SAFE_INTEGER}), is_summary
      from (${PENDING}) as pending left join sensors on name = about
      order by attempts > 0 desc, is_summary desc, 6, number limit ${WAITING_DELIVERIES}`,
    )
    .raw();
  const selectTotals = database
    .prepare(
      `select count(*) filter (where not is_summary), coalesce(max(number), 0),
        json_group_array(distinct state) filter (where not is_summary)
      from (${PENDING})`,
    )
    .raw();
  const selectReplaced = database
    .prepare(
      `select number from (${PENDING})
      where number <= ?2 and not is_summary and id not in (select value from json_each(?3))`,
    )
    .pluck();
  const replace = database.prepare(
    `update alert_deliveries set state = 'replaced'
    where address = ? and message in (select value from json_each(?)) and state = 'pending'`,
  );
  const insertAttempt = database.prepare(
    `insert into alert_attempts (message, address, at, outcome, answer)
    select number, address, ?, ?, ?
    from alert_messages join alert_deliveries on message = number
    where id = ? and address = ?
    on conflict do nothing`,
  );
  const updateDelivery = database.prepare(
    `update alert_deliveries set state = ?, attempts = attempts + 1, retry_at = ?
    where message = (select number from alert_messages where id = ?) and address = ? and state = 'pending'`,
  );
  const selectDeliveries = database
    .prepare(
      `select number, message.id, address, delivery.state
      from alert_messages as message join alert_deliveries as delivery on delivery.message = number
      where sensor = ? and at = ? and message.state = ? order by number, address`,
    )
    .raw();
  const selectMessages = database
    .prepare(
      `select number, id, created_at, event from alert_messages where sensor is null order by number desc limit ?`,
    )
    .raw();
  const selectDeliveriesOf = database
    .prepare(
      `select number, id, address, alert_deliveries.state
      from alert_messages join alert_deliveries on message = number where number = ? order by address`,
    )
    .raw();
  const selectAttempts = database
    .prepare(
      `select at, outcome, answer from alert_attempts where message = ? and address = ?
      order by at desc limit ${RECORDED_ATTEMPTS}`,
    )
    .raw();

  function recorded([number, messageId, address, state]: RecordedRow): RecordedDelivery {
    const rows = selectAttempts.all(number, address) as [number, Attempt['outcome'], string][];
    const attempts = rows.map(([at, outcome, answer]) => ({ at: formatReadingTime(at), outcome, answer }));
    return { messageId, address, state, attempts: attempts.reverse() };
  }

  /** Returns a function that writes messages in a transaction. */
  function messageWrites(messages: readonly OutboxMessage[]): () => void {
    const rows = messages.map(({ id, createdAt, transition, event }) => {
      const [sensor, at, state] = transition
        ? [transition.sensor, toMicros(transition.at), transition.to]
        : [null, null, null];
      return [id, toMicros(createdAt), sensor, at, state, event];
    });
    const addresses = JSON.stringify(messages.map(({ id, addresses }) => ({ id, addresses })));
    return () => {
      if (rows.length === 0) return;
      const [lastNumber] = selectLastNumber.all();
      insertMessages(rows);
      insertDeliveries.run(addresses, lastNumber);
    };
  }

  return {
    messageWrites,

    waiting(address: string): Waiting {
      const outdated = selectOutdated.all(address);
      if (outdated.length > 0) write(() => replace.run(address, JSON.stringify(outdated)));
      const [[sensors, newest, states]] = selectTotals.all(address) as [[number, number, string]];
      const rows = selectFirst.all(address) as WaitingRow[];
      const deliveries = rows.map(([id, createdAt, event, attempts, retryAt, firstSeen, isSummary]) => ({
        message: { id, createdAt: formatReadingTime(createdAt), event },
        address,
        attempts,
        retryAt: toTextOrNull(retryAt),
        firstSeen,
        isSummary: isSummary === 1,
      }));
      return { deliveries, sensors, states: JSON.parse(states), newest };
    },

    summarize(...[address, { kept, newest }, summary]: Parameters<AlertStore['summarize']>): void {
      const replaced = selectReplaced.all(address, newest, JSON.stringify(kept));
      const writeSummary = messageWrites([{ ...summary, transition: null, addresses: [address] }]);
      write(() => {
        writeSummary();
        replace.run(address, JSON.stringify(replaced));
      });
    },

    record({ messageId, address, at, outcome, answer, retryAt }: Attempt): void {
      // libsql would cut a text at its first NUL.
      const text = answer.replaceAll('\0', '\ufffd');
      write(() => {
        const { changes } = insertAttempt.run(toMicros(at), outcome, text, messageId, address);
        if (changes === 0) return;
        const state = outcome === 'retry' ? 'pending' : outcome;
        updateDelivery.run(state, toMicrosOrNull(retryAt), messageId, address);
      });
    },

    /** Returns the deliveries of a transition's messages. */
    deliveriesOf(...transition: TransitionKey): RecordedDelivery[] {
      return (selectDeliveries.all(...transition) as RecordedRow[]).map(recorded);
    },

    recentMessages(limit: number): RecordedMessage[] {
      return (selectMessages.all(limit) as MessageRow[]).map(([number, id, createdAt, event]) => ({
        id,
        createdAt: formatReadingTime(createdAt),
        event,
        deliveries: (selectDeliveriesOf.all(number) as RecordedRow[]).map(recorded),
      }));
    },
  };
}
