import type { Transition } from '../../../app/readings/air/air-state';
import {
  type AlertChange,
  type AlertStore,
  type Attempt,
  type Delivery,
  LeaseLostError,
  type OutboxMessage,
  type RecordedDelivery,
  type RecordedMessage,
  type RecordedTransition,
  WAITING_DELIVERIES,
  type Waiting,
  type Watch,
  type WatchedSensor,
} from '../../../app/store/alert-store';
import { StoreUnavailableError } from '../../../app/store/reading-store';

const isSame = (a: Pick<Transition, 'sensor' | 'at' | 'to'>, b: Pick<Transition, 'sensor' | 'at' | 'to'>) =>
  a.sensor === b.sensor && a.at === b.at && a.to === b.to;

/** An `AlertStore` in memory. A test can make it unavailable, or take its lease. */
export class MemoryAlertStore implements AlertStore {
  isAvailable = true;
  isHeldByOther = false;
  cursor: number | null = null;
  sensors = new Map<string, WatchedSensor>();
  transitions: Transition[] = [];
  messages: OutboxMessage[] = [];
  attempts: Attempt[] = [];
  /** The ids and addresses of replaced deliveries. */
  replaced = new Set<string>();
  watched: Watch | null = null;

  async hold(): Promise<boolean> {
    this.#reach();
    return !this.isHeldByOther;
  }

  async load() {
    this.#reach();
    return structuredClone({ cursor: this.cursor, sensors: [...this.sensors.values()] });
  }

  async commit(change: AlertChange): Promise<void> {
    this.#reachAsHolder();
    const { cursor, sensors, transitions, messages } = structuredClone(change);
    this.cursor = cursor;
    for (const sensor of sensors) this.sensors.set(sensor.sensor, sensor);
    for (const entered of transitions) {
      this.transitions = this.transitions.filter((known) => !isSame(known, entered));
      this.transitions.push(entered);
    }
    for (const message of messages) {
      if (!this.messages.some(({ id }) => id === message.id)) this.messages.push(message);
    }
  }

  async watch(watch: Watch): Promise<Watch | null> {
    this.#reachAsHolder();
    const before = this.watched;
    this.watched = watch;
    return before;
  }

  async lastTransition(sensor: string): Promise<Transition | null> {
    this.#reach();
    const known = this.transitions.filter((transition) => transition.sensor === sensor);
    return structuredClone(known.sort((a, b) => a.at.localeCompare(b.at)).at(-1) ?? null);
  }

  async waiting(address: string): Promise<Waiting> {
    this.#reachAsHolder();
    const pending = this.messages.flatMap((message, i) => {
      const isPending =
        message.addresses.includes(address) && this.#stateOf(message.id, address) === 'pending';
      const attempts = this.attemptsOf(message.id, address);
      const retryAt = attempts.at(-1)?.retryAt ?? null;
      return isPending ? { number: i + 1, message, address, attempts, retryAt } : [];
    });
    const { waiting, replaced } = waitingOf(pending, [...this.sensors.keys()], WAITING_DELIVERIES);
    for (const { message } of replaced) this.replaced.add(`${message.id} ${address}`);
    return structuredClone(waiting);
  }

  async summarize(
    ...[address, { kept, newest }, summary]: Parameters<AlertStore['summarize']>
  ): Promise<void> {
    this.#reachAsHolder();
    for (const message of this.messages.slice(0, newest)) {
      const isPending =
        message.addresses.includes(address) && this.#stateOf(message.id, address) === 'pending';
      if (isPending && !kept.includes(message.id) && !isSummary(message)) {
        this.replaced.add(`${message.id} ${address}`);
      }
    }
    if (this.messages.some(({ id }) => id === summary.id)) return;
    this.messages.push({ ...summary, transition: null, addresses: [address] });
  }

  async record(attempt: Attempt): Promise<void> {
    this.#reachAsHolder();
    const isKnown = this.attemptsOf(attempt.messageId, attempt.address).some(({ at }) => at === attempt.at);
    const isOfMessage = this.messages.some(({ id }) => id === attempt.messageId);
    if (isOfMessage && !isKnown) this.attempts.push(structuredClone(attempt));
  }

  async recent(limit: number): Promise<RecordedTransition[]> {
    this.#reach();
    const newest = this.transitions.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
    return newest.map((transition) => ({
      ...transition,
      deliveries: this.#deliveriesOf(
        this.messages.filter((message) => message.transition && isSame(message.transition, transition)),
      ),
    }));
  }

  async recentMessages(limit: number): Promise<RecordedMessage[]> {
    this.#reach();
    const alone = this.messages.filter(({ transition }) => transition === null).reverse();
    return alone.slice(0, limit).map((message) => ({
      id: message.id,
      createdAt: message.createdAt,
      event: message.event,
      deliveries: this.#deliveriesOf([message]),
    }));
  }

  async prune(before: string): Promise<void> {
    this.#reachAsHolder();
    const isEarlier = (one: Transition) =>
      this.transitions.some(({ sensor, at }) => sensor === one.sensor && at > one.at);
    this.transitions = this.transitions.filter((one) => one.at >= before || !isEarlier(one));
    this.messages = this.messages.filter(
      ({ id, createdAt, addresses }) =>
        createdAt >= before || addresses.some((address) => this.#stateOf(id, address) === 'pending'),
    );
  }

  async close(): Promise<void> {}

  attemptsOf(messageId: string, address: string): Attempt[] {
    return this.attempts.filter((attempt) => attempt.messageId === messageId && attempt.address === address);
  }

  #deliveriesOf(messages: readonly OutboxMessage[]): RecordedDelivery[] {
    return messages.flatMap(({ id, addresses }) =>
      addresses.map((address) => ({
        messageId: id,
        address,
        state: this.#stateOf(id, address),
        attempts: this.attemptsOf(id, address)
          .slice(-20)
          .map(({ at, outcome, answer }) => ({ at, outcome, answer })),
      })),
    );
  }

  #stateOf(messageId: string, address: string): RecordedDelivery['state'] {
    if (this.replaced.has(`${messageId} ${address}`)) return 'replaced';
    const outcome = this.attemptsOf(messageId, address).at(-1)?.outcome ?? 'retry';
    return outcome === 'retry' ? 'pending' : outcome;
  }

  #reach(): void {
    if (!this.isAvailable) throw new StoreUnavailableError('the store is away');
  }

  #reachAsHolder(): void {
    this.#reach();
    if (this.isHeldByOther) throw new LeaseLostError('another process delivers');
  }
}

/** A pending delivery. `number` is the position of its message in the outbox. */
interface Pending {
  number: number;
  message: OutboxMessage;
  address: string;
  attempts: readonly unknown[];
  retryAt: string | null;
}

const isSummary = ({ transition, event }: OutboxMessage) =>
  transition === null && JSON.parse(event).kind === 'summary';

/** Returns a store's pending deliveries of an address, and those that newer ones replace. */
function waitingOf<P extends Pending>(
  pending: readonly P[],
  sensors: readonly string[],
  atMost: number,
): { waiting: Waiting; replaced: P[] } {
  const aboutOf = ({ message }: P): string => {
    if (message.transition) return message.transition.sensor;
    return isSummary(message) ? message.id : (JSON.parse(message.event).sensor ?? message.id);
  };
  const newest = new Map(pending.map((one) => [aboutOf(one), one]));
  const left = [...newest.values()];
  const singles = left.filter(({ message }) => !isSummary(message));
  const deliveries = left.map((one): Delivery & { number: number } => {
    const { id, createdAt, event } = one.message;
    const place = sensors.indexOf(aboutOf(one));
    return {
      number: one.number,
      message: { id, createdAt, event },
      address: one.address,
      attempts: one.attempts.length,
      retryAt: one.retryAt,
      firstSeen: place < 0 ? Number.MAX_SAFE_INTEGER : place + 1,
      isSummary: isSummary(one.message),
    };
  });
  deliveries.sort(
    (a, b) =>
      Number(b.attempts > 0) - Number(a.attempts > 0) ||
      Number(b.isSummary) - Number(a.isSummary) ||
      a.firstSeen - b.firstSeen ||
      a.number - b.number,
  );
  return {
    waiting: {
      deliveries: deliveries.slice(0, atMost).map(({ number: _, ...delivery }) => delivery),
      sensors: singles.length,
      states: [
        ...new Set(singles.map(({ message }) => message.transition?.to ?? JSON.parse(message.event).state)),
      ],
      newest: Math.max(0, ...left.map(({ number }) => number)),
    },
    replaced: pending.filter((one) => newest.get(aboutOf(one)) !== one),
  };
}
