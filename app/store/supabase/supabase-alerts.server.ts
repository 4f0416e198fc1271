import { randomUUID } from 'node:crypto';
import type { Transition } from '../../readings/air/air-state';
import {
  type AlertStore,
  type Delivery,
  LeaseLostError,
  type RecordedDelivery,
  type RecordedMessage,
  type RecordedTransition,
  type Watch,
  type WatchedSensor,
} from '../alert-store';
import { exactUtc } from './reading-row';
import { LOADED_SENSORS, supabaseAlertCalls } from './supabase-alert-calls.server';
import type { Project } from './supabase-errors.server';
import type { supabaseQueries } from './supabase-queries.server';

/** The answers have the members of the interface; their times are those of Postgres. */
interface Loaded {
  cursor: number | null;
  sensors: WatchedSensor[];
}

/**
 * Keeps the alerts in a Supabase project, by functions that need the secret key. One server at a time holds a lease, by the
 * database's clock. Each holder has a token, without which nothing is changed and nothing is given out for delivery.
 */
export function supabaseAlerts(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
): AlertStore {
  const calls = supabaseAlertCalls(queries, project, timeoutMs);
  const holder = randomUUID();
  let token: number | null = null;

  /** Calls a function with the token, and throws if another server has the lease. */
  async function fenced<T>(call: (token: number) => Promise<unknown>): Promise<T> {
    const result = token === null ? null : await call(token);
    if (result === null) throw new LeaseLostError('Another server judges and delivers by now.');
    return result as T;
  }

  return {
    async hold() {
      const given = (await calls.hold(holder)) as number | null;
      const wasInterrupted = token !== null && given !== token;
      token = wasInterrupted ? null : given;
      return token !== null;
    },
    async load() {
      const sensors: WatchedSensor[] = [];
      for (;;) {
        const page = (await calls.load(sensors.at(-1)?.sensor ?? null)) as Loaded;
        sensors.push(...page.sensors.map((known) => ({ ...known, toldAt: exactUtc(known.toldAt) })));
        if (page.sensors.length < LOADED_SENSORS) return { cursor: page.cursor, sensors };
      }
    },
    async commit(change) {
      await fenced((token) => calls.commit(token, change));
    },
    async watch(watch) {
      const { before } = await fenced<{ before: Watch | null }>((token) => calls.watch(token, watch));
      return before && { ...before, until: exact(before.until) };
    },
    async transitionsSince(sensor, from) {
      const found = (await calls.transitionsSince(sensor, from)) as Transition[];
      return found.map(withExactTimes);
    },
    async nextDelivery(address) {
      const { delivery } = await fenced<{ delivery: Delivery | null }>((token) =>
        calls.nextDelivery(token, address),
      );
      return delivery && withExactDeliveryTimes(delivery);
    },
    async record(attempt) {
      // Postgres has neither NUL nor halves of surrogate pairs.
      const answer = attempt.answer.replaceAll('\0', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
      await fenced((token) => calls.record(token, { ...attempt, answer }));
    },
    async recent(limit) {
      const found = (await calls.recent(limit)) as RecordedTransition[];
      return found.map((transition) => ({
        ...withExactTimes(transition),
        deliveries: transition.deliveries.map(withExactAttempts),
      }));
    },
    async recentMessages(limit) {
      const found = (await calls.recentMessages(limit)) as RecordedMessage[];
      return found.map(({ createdAt, deliveries, ...message }) => ({
        ...message,
        createdAt: exact(createdAt),
        deliveries: deliveries.map(withExactAttempts),
      }));
    },
    async prune(before) {
      while ((await fenced<number>((token) => calls.prune(token, before))) > 0);
    },
    async close() {
      if (token !== null) await calls.release(token);
    },
  };
}

const exact = (time: string): string => exactUtc(time) ?? time;

const withExactTimes = <T extends { at: string; since: string }>(found: T): T => ({
  ...found,
  at: exact(found.at),
  since: exact(found.since),
});

function withExactAttempts({ attempts, ...delivery }: RecordedDelivery): RecordedDelivery {
  return { ...delivery, attempts: attempts.map((attempt) => ({ ...attempt, at: exact(attempt.at) })) };
}

function withExactDeliveryTimes({ message, retryAt, ...delivery }: Delivery): Delivery {
  const { transition, createdAt } = message;
  return {
    ...delivery,
    retryAt: exactUtc(retryAt),
    message: {
      ...message,
      createdAt: exact(createdAt),
      transition: transition && { ...transition, at: exact(transition.at) },
    },
  };
}
