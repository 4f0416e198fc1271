import type { Transition } from '../../../app/readings/air/air-state';
import { parseReadingTime } from '../../../app/readings/time/reading-time';
import type { AlertChange, Attempt, OutboxMessage, Watch } from '../../../app/store/alert-store';
import { isSummary, waitingOf } from '../alerts/memory-alert-store';
import { formatTime } from './postgrest-functions';

/** The members of a sensor that this file reads. */
interface SensorRow {
  sensor: string;
  toldAt: string | null;
}

type Key = Pick<Transition, 'sensor' | 'at' | 'to'>;
/** `time` is `at` in microseconds since 1970. */
type Known = Transition & { id: number; time: number };
type Sent = {
  message: OutboxMessage;
  address: string;
  state: string;
  attempts: Attempt[];
  retryAt: string | null;
};

const micros = (time: string): bigint => BigInt(parseReadingTime(time) ?? Number.NaN);
/** The format of a hosted project. */
const toJson = (time: string | null) => time && formatTime(micros(time), 'hosted');
const isSame = (a: Key | null, b: Key) => a?.sensor === b.sensor && a.at === b.at && a.to === b.to;
const isBefore = (a: string, b: string) => micros(a) < micros(b);
const byTime = (a: Known, b: Known) => a.time - b.time || a.id - b.id;

/** Implements the functions of the alert migration. */
export class PostgrestAlerts {
  /** The end of the lease, in milliseconds since 1970. */
  leaseEndsAt = 0;
  #lease: { holder: string; token: number } | null = null;
  #cursor: number | null = null;
  #sensors = new Map<string, SensorRow>();
  #transitions: Known[] = [];
  #messages: OutboxMessage[] = [];
  #deliveries: Sent[] = [];
  #lastId = 0;
  #watched: Watch | null = null;

  /** Calls the function `alert_…` with this name. Throws where Postgres would roll back. */
  call(name: string, sent: Record<string, unknown>): unknown {
    const call = (this as unknown as Record<string, (sent: never) => unknown>)[`_${name}`];
    if (!call) throw new Error(`there is no function alert_${name}`);
    if ('of_token' in sent && !this.#renew(sent.of_token)) return null;
    return call.call(this, sent as never);
  }

  #renew(token: unknown): boolean {
    if (this.#lease?.token !== token) return false;
    this.leaseEndsAt = Date.now() + 30_000;
    return true;
  }

  _hold({ of_holder, lease_seconds }: { of_holder: string; lease_seconds: number }) {
    const { holder, token = 0 } = this.#lease ?? {};
    if (holder && holder !== of_holder && Date.now() < this.leaseEndsAt) return null;
    this.leaseEndsAt = Date.now() + lease_seconds * 1000;
    this.#lease = { holder: of_holder, token: holder === of_holder ? token : token + 1 };
    return this.#lease.token;
  }

  _release() {
    this.leaseEndsAt = 0;
    return null;
  }

  _load({ after_sensor, at_most }: { after_sensor: string | null; at_most: number }) {
    const names = [...this.#sensors.keys()].sort();
    const page = names.filter((name) => after_sensor === null || name > after_sensor).slice(0, at_most);
    const sensors = page.map((name) => this.#sensors.get(name) as SensorRow);
    return {
      cursor: this.#cursor,
      sensors: sensors.map((known) => ({ ...known, toldAt: toJson(known.toldAt) })),
    };
  }

  _commit({ changes: change }: { changes: Omit<AlertChange, 'sensors'> & { sensors: SensorRow[] } }) {
    if (change.messages.some(({ addresses }) => addresses.some((address) => address === null))) {
      throw new Error('null value in column "address" violates not-null constraint');
    }
    this.#cursor = change.cursor;
    for (const known of change.sensors) this.#sensors.set(known.sensor, known);
    for (const transition of change.transitions) {
      const known = this.#transitions.find((known) => isSame(known, transition));
      if (known) Object.assign(known, transition);
      else {
        const time = Number(micros(transition.at));
        this.#transitions.push({ ...transition, id: ++this.#lastId, time });
      }
    }
    for (const message of change.messages) {
      if (this.#messages.some(({ id }) => id === message.id)) continue;
      this.#messages.push(message);
      for (const address of message.addresses) {
        this.#deliveries.push({ message, address, state: 'pending', attempts: [], retryAt: null });
      }
    }
    return true;
  }

  _watch({ at_time, patience_ms }: { at_time: string; patience_ms: number }) {
    const before = this.#watched;
    this.#watched = { until: at_time, patienceMs: patience_ms };
    return { before: before && { ...before, until: toJson(before.until) } };
  }

  _last_transition({ of_sensor }: { of_sensor: string }) {
    const own = this.#transitions.filter((one) => one.sensor === of_sensor).sort(byTime);
    return (
      own
        .map(({ id: _, time: __, ...one }) => ({ ...one, at: toJson(one.at), since: toJson(one.since) }))
        .at(-1) ?? null
    );
  }

  _waiting({ of_address, at_most }: { of_address: string; at_most: number }) {
    const numbered = this.#deliveries.map((sent) => ({
      ...sent,
      sent,
      number: this.#messages.indexOf(sent.message) + 1,
    }));
    const isPending = (one: (typeof numbered)[number]) =>
      one.address === of_address && one.sent.state === 'pending';
    const { waiting, replaced } = waitingOf(numbered.filter(isPending), [...this.#sensors.keys()], at_most);
    for (const { sent } of replaced) sent.state = 'replaced';
    return {
      ...waiting,
      deliveries: waiting.deliveries.map((one) => ({
        ...one,
        message: { ...one.message, createdAt: toJson(one.message.createdAt) },
        retryAt: toJson(one.retryAt),
      })),
    };
  }

  _summarize(sent: { of_address: string; kept: string[]; newest: number; summary: OutboxMessage }) {
    const { of_address: address, kept, newest, summary } = sent;
    const isKnown = this.#messages.some(({ id }) => id === summary.id);
    for (const one of this.#deliveries) {
      const isEarlier = this.#messages.indexOf(one.message) < newest;
      if (one.address !== address || one.state !== 'pending' || !isEarlier) continue;
      if (!kept.includes(one.message.id) && !isSummary(one.message)) one.state = 'replaced';
    }
    if (isKnown) return true;
    const message = { ...summary, transition: null, addresses: [address] };
    this.#messages.push(message);
    this.#deliveries.push({ message, address, state: 'pending', attempts: [], retryAt: null });
    return true;
  }

  _record({ attempt }: { attempt: Attempt }) {
    const { messageId, address, at, outcome, retryAt } = attempt;
    const found = this.#deliveries.find((one) => one.message.id === messageId && one.address === address);
    if (!found || found.attempts.some((one) => one.at === at)) return true;
    found.attempts.push(attempt);
    if (found.state === 'pending' && outcome !== 'retry') found.state = outcome;
    found.retryAt = retryAt;
    return true;
  }

  _recent({ at_most, attempts_at_most }: { at_most: number; attempts_at_most: number }) {
    const known = this.#transitions.toSorted(byTime).reverse().slice(0, at_most);
    return known.map(({ id: _, time: __, ...one }) => ({
      ...one,
      at: toJson(one.at),
      since: toJson(one.since),
      deliveries: this.#recorded(({ transition }) => isSame(transition, one), attempts_at_most),
    }));
  }

  _recent_messages({ at_most, attempts_at_most }: { at_most: number; attempts_at_most: number }) {
    const alone = this.#messages.filter(({ transition }) => transition === null).reverse();
    return alone.slice(0, at_most).map(({ id, createdAt, event }) => ({
      id,
      createdAt: toJson(createdAt),
      event,
      deliveries: this.#recorded((message) => message.id === id, attempts_at_most),
    }));
  }

  #recorded(isAsked: (message: OutboxMessage) => boolean, atMost: number) {
    return this.#deliveries
      .filter(({ message }) => isAsked(message))
      .map(({ message, address, state, attempts }) => ({
        messageId: message.id,
        address,
        state,
        attempts: attempts
          .slice(-atMost)
          .map(({ at, outcome, answer }) => ({ at: toJson(at), outcome, answer })),
      }));
  }

  _prune({ before_time, at_most }: { before_time: string; at_most: number }) {
    const last = new Map(this.#transitions.toSorted(byTime).map((one) => [one.sensor, one]));
    const limit = Number(micros(before_time));
    const old = this.#transitions.filter((one) => one.time < limit && last.get(one.sensor) !== one);
    const removed = new Set<unknown>(old.slice(0, at_most));
    const isPending = (message: OutboxMessage) =>
      this.#deliveries.some((one) => one.message === message && one.state === 'pending');
    const ended = this.#messages.filter((one) => isBefore(one.createdAt, before_time) && !isPending(one));
    for (const message of ended.slice(0, at_most)) removed.add(message);
    this.#transitions = this.#transitions.filter((one) => !removed.has(one));
    this.#messages = this.#messages.filter((one) => !removed.has(one));
    this.#deliveries = this.#deliveries.filter((one) => !removed.has(one.message));
    return removed.size;
  }
}
