import { randomUUID } from 'node:crypto';
import type { Transition } from '../../readings/air/air-state';
import {
  type AlertStore,
  LEASE_SECONDS,
  LeaseLostError,
  RECORDED_ATTEMPTS,
  type RecordedDelivery,
  type RecordedMessage,
  type RecordedTransition,
  WAITING_DELIVERIES,
  type Waiting,
  type Watch,
  type WatchedSensor,
} from '../alert-store';
import { exactUtc, readableUtc } from './reading-row';
import { queryError } from './supabase-errors.server';
import type { Project, supabaseQueries } from './supabase-queries.server';

/** Sensors per response. Each takes up to 1 kB. */
const LOADED_SENSORS = 1000;
/** The most transitions, and the most messages, that a request removes. */
const PRUNED_ROWS = 500;

/** A sensor in the functions' parameters and results. Their other members have the same names as in `AlertStore`. */
type SensorRow = Pick<WatchedSensor, 'sensor' | 'air'> & {
  told: WatchedSensor['notified'];
  toldAt: WatchedSensor['notifiedAt'];
};

/** Times in results are in Postgres's format. */
interface Loaded {
  cursor: number | null;
  sensors: SensorRow[];
}

/**
 * Stores the state of the notifications in a Supabase project, by functions that need the secret key. One server at a
 * time holds a lease, timed by the database's clock, and identifies itself by a token. Without the current token, a
 * function changes nothing and returns nothing to deliver.
 */
export function supabaseAlerts(queries: ReturnType<typeof supabaseQueries>, project: Project): AlertStore {
  const holder = randomUUID();
  let token: number | null = null;

  /** Calls a function of the migrations. */
  async function call(name: string, parameters: object): Promise<unknown> {
    const result = await queries.call(`alert_${name}`, parameters, queries.newDeadline());
    if (result.error) throw queryError(result, project);
    return result.data;
  }

  /** Calls a function with the token. Throws `LeaseLostError` if another server holds the lease. */
  async function fenced<T>(name: string, parameters: object): Promise<T> {
    const result = token === null ? null : await call(name, { of_token: token, ...parameters });
    if (result === null) throw new LeaseLostError('Another server judges and delivers now.');
    return result as T;
  }

  return {
    async hold() {
      const given = (await call('hold', { of_holder: holder, lease_seconds: LEASE_SECONDS })) as
        | number
        | null;
      const wasInterrupted = token !== null && given !== token;
      token = wasInterrupted ? null : given;
      return token !== null;
    },
    async load(limit = Number.POSITIVE_INFINITY) {
      const sensors: WatchedSensor[] = [];
      for (;;) {
        const after_sensor = sensors.at(-1)?.sensor ?? null;
        const page = (await call('load', { after_sensor, at_most: LOADED_SENSORS })) as Loaded;
        sensors.push(
          ...page.sensors.map(({ told, toldAt, ...known }) => ({
            ...known,
            notified: told,
            notifiedAt: exactUtc(toldAt),
          })),
        );
        if (page.sensors.length < LOADED_SENSORS || sensors.length >= limit) {
          return { cursor: page.cursor, sensors: sensors.slice(0, limit) };
        }
      }
    },
    async commit(change) {
      const sensors = change.sensors.map(
        ({ notified, notifiedAt, ...known }): SensorRow => ({ ...known, told: notified, toldAt: notifiedAt }),
      );
      await fenced('commit', { changes: { ...change, sensors } });
    },
    async watch({ until, patienceMs }) {
      const watch = { at_time: until, patience_ms: patienceMs };
      const { before } = await fenced<{ before: Watch | null }>('watch', watch);
      return before && { ...before, until: readableUtc(before.until) };
    },
    async lastTransition(sensor) {
      const found = await call('last_transition', { of_sensor: sensor });
      return found === null ? null : withExactTimes(found as Transition);
    },
    async waiting(address) {
      const asked = { of_address: address, at_most: WAITING_DELIVERIES };
      const { deliveries, ...waiting } = await fenced<Waiting>('waiting', asked);
      return {
        ...waiting,
        deliveries: deliveries.map(({ message, retryAt, ...delivery }) => ({
          ...delivery,
          retryAt: exactUtc(retryAt),
          message: { ...message, createdAt: readableUtc(message.createdAt) },
        })),
      };
    },
    async summarize(address, { kept, newest }, summary) {
      await fenced('summarize', { of_address: address, kept, newest, summary });
    },
    async record(attempt) {
      // Postgres can store neither NUL nor unpaired surrogates.
      const answer = attempt.answer.replaceAll('\0', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
      await fenced('record', { attempt: { ...attempt, answer } });
    },
    async recent(limit) {
      const found = await call('recent', { at_most: limit, attempts_at_most: RECORDED_ATTEMPTS });
      return (found as RecordedTransition[]).map((transition) => ({
        ...withExactTimes(transition),
        deliveries: transition.deliveries.map(withExactAttempts),
      }));
    },
    async recentMessages(limit) {
      const found = await call('recent_messages', { at_most: limit, attempts_at_most: RECORDED_ATTEMPTS });
      return (found as RecordedMessage[]).map(({ createdAt, deliveries, ...message }) => ({
        ...message,
        createdAt: readableUtc(createdAt),
        deliveries: deliveries.map(withExactAttempts),
      }));
    },
    async prune(before) {
      while ((await fenced<number>('prune', { before_time: before, at_most: PRUNED_ROWS })) > 0);
    },
    async close() {
      if (token !== null) await call('release', { of_token: token });
    },
  };
}

const withExactTimes = <T extends { at: string; since: string }>(found: T): T => ({
  ...found,
  at: readableUtc(found.at),
  since: readableUtc(found.since),
});

function withExactAttempts({ attempts, ...delivery }: RecordedDelivery): RecordedDelivery {
  return { ...delivery, attempts: attempts.map((attempt) => ({ ...attempt, at: readableUtc(attempt.at) })) };
}
