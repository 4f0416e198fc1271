import type Database from 'libsql';
import { formatReadingTime } from '../../../readings/time/stored-time';
import type {
  Attempt,
  Delivery,
  RecordedDelivery,
  RecordedMessage,
  RecordedTransition,
} from '../../alert-store';
import { RECORDED_ATTEMPTS } from '../../alert-store';
import {
  TRANSITION_COLUMNS,
  type TransitionRow,
  toMicros,
  toMicrosOrNull,
  toTextOrNull,
  toTransition,
} from './sqlite-alert-rows.server';

type DeliveryRow = [
  address: string,
  attempts: number,
  retryAt: number | null,
  id: string,
  createdAt: number,
  sensor: string | null,
  at: number,
  state: RecordedTransition['to'],
  event: string,
  addresses: string,
];

type MessageRow = [number: number, id: string, createdAt: number, event: string];
type RecordedRow = [number: number, messageId: string, address: string, state: RecordedDelivery['state']];

/** Prepares what is asked and written about deliveries. `record` is to be called in a transaction. */
export function sqliteAlertDeliveries(database: Database.Database) {
  const selectNext = database
    .prepare(
      `select delivery.address, attempts, retry_at, id, created_at, sensor, at, message.state, event,
        (select json_group_array(address) from alert_deliveries where message = number)
      from alert_deliveries as delivery
      join alert_messages as message on number = delivery.message
      where delivery.address = ? and delivery.state = 'pending'
      order by delivery.message limit 1`,
    )
    .raw();
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
  const selectRecent = database
    .prepare(`select ${TRANSITION_COLUMNS} from alert_transitions order by at desc, id desc limit ?`)
    .raw();
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

  function toRecordedDelivery([number, messageId, address, state]: RecordedRow): RecordedDelivery {
    const rows = selectAttempts.all(number, address) as [number, Attempt['outcome'], string][];
    const attempts = rows.map(([at, outcome, answer]) => ({ at: formatReadingTime(at), outcome, answer }));
    return { messageId, address, state, attempts: attempts.reverse() };
  }

  return {
    next(address: string): Delivery | null {
      const [row] = selectNext.all(address) as DeliveryRow[];
      return row ? toDelivery(row) : null;
    },
    record({ messageId, address, at, outcome, answer, retryAt }: Attempt): void {
      // libsql would end a text at its first NUL.
      const text = answer.replaceAll('\0', '\ufffd');
      const { changes } = insertAttempt.run(toMicros(at), outcome, text, messageId, address);
      if (changes === 0) return;
      const state = outcome === 'retry' ? 'pending' : outcome;
      updateDelivery.run(state, toMicrosOrNull(retryAt), messageId, address);
    },
    recent(limit: number): RecordedTransition[] {
      return (selectRecent.all(limit) as TransitionRow[]).map((row) => {
        const { air: _, ...transition } = toTransition(row);
        const [sensor, at, to] = row;
        const deliveries = selectDeliveries.all(sensor, at, to) as RecordedRow[];
        return { ...transition, isWithdrawn: row[8] === 1, deliveries: deliveries.map(toRecordedDelivery) };
      });
    },
    recentMessages(limit: number): RecordedMessage[] {
      return (selectMessages.all(limit) as MessageRow[]).map(([number, id, createdAt, event]) => {
        const deliveries = selectDeliveriesOf.all(number) as RecordedRow[];
        return {
          id,
          createdAt: formatReadingTime(createdAt),
          event,
          deliveries: deliveries.map(toRecordedDelivery),
        };
      });
    },
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const [address, attempts, retryAt, id, createdAt, sensor, at, to, event, addresses] = row;
  const transition = sensor === null ? null : { sensor, at: formatReadingTime(at), to };
  return {
    message: {
      id,
      createdAt: formatReadingTime(createdAt),
      transition,
      event,
      addresses: JSON.parse(addresses),
    },
    address,
    attempts,
    retryAt: toTextOrNull(retryAt),
  };
}
