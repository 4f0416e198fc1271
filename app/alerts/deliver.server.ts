import { type AlertStore, type Attempt, type Delivery, LeaseLostError } from '../store/alert-store';
import { StoreUnavailableError } from '../store/reading-store';
import type { AlertAddress, AlertEvent, SendOutcome } from './alert-event';
import { type Bell, createBell } from './bell';
import { retryTime } from './retry-time';

/** What delivery knows of time. */
export interface DeliveryClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits, at most until `signal` is aborted; never rejects. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a number from 0 to 1. */
  random(): number;
}

export interface RunningDelivery {
  /** Looks for messages: after a commit, and when this process holds the lease again. */
  wake(): void;
  /** When each address that waits is tried again, by its key: ISO 8601 in UTC. */
  nextAttempts(): Map<string, string>;
  /** Breaks off what is being sent, which is then sent again after the next start. */
  stop(): Promise<void>;
}

type Outbox = Pick<AlertStore, 'nextDelivery' | 'record'>;

/** Pauses while the store can't be reached. */
const STORE_PAUSE_MS = { first: 1000, longest: 60_000 };
/** The longest wait, even if the clock of the last attempt was wrong by years. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** How often quiet hours are looked at, which end with a minute. */
const QUIET_STEP_MS = 60_000;

/**
 * Delivers the outbox: to each address in order, however slow the others are. A message is sent until it is answered with
 * success, or until it is a day old; at least once in any case.
 *
 * @param isQuietAt tells whether nothing is sent at a time, in milliseconds since 1970
 */
export function startDelivery(
  outbox: Outbox,
  addresses: AlertAddress[],
  isQuietAt: (now: number) => boolean,
  clock: DeliveryClock = SYSTEM_CLOCK,
): RunningDelivery {
  const waiting = new Map<string, string>();
  const loops = addresses.map((address) => {
    const bell = createBell();
    // With a signal for all of them, Node would warn of many listeners.
    const stopping = new AbortController();
    return {
      bell,
      stopping,
      ended: deliverTo(address, outbox, bell, waiting, isQuietAt, clock, stopping.signal),
    };
  });
  return {
    wake: () => {
      for (const { bell } of loops) bell.ring();
    },
    nextAttempts: () => new Map(waiting),
    stop: async () => {
      for (const { stopping } of loops) stopping.abort();
      await Promise.all(loops.map(({ ended }) => ended));
    },
  };
}

async function deliverTo(
  address: AlertAddress,
  outbox: Outbox,
  bell: Bell,
  waiting: Map<string, string>,
  isQuietAt: (now: number) => boolean,
  clock: DeliveryClock,
  signal: AbortSignal,
): Promise<void> {
  /** No message is sent before, because the address has asked for a pause. In milliseconds since 1970. */
  let restUntil = 0;
  /** The attempt that has been waited for. It is due then, also if the clock was set back meanwhile. */
  let waitedFor = '';
  /** The log has a line when an address begins to fail, and when it works again. */
  let isFailing = false;
  /** Asks the store until it answers. Returns null if it has nothing, or this process isn't the one that delivers. */
  const ask = <T>(question: () => Promise<T>) => untilReached(question, clock, signal);
  while (!signal.aborted) {
    const delivery = await ask(() => outbox.nextDelivery(address.key));
    if (!delivery) {
      await bell.heard(signal);
      continue;
    }
    const waitMs = Math.max(Date.parse(delivery.retryAt ?? '') || 0, restUntil) - clock.now();
    const attemptName = `${delivery.message.id} ${delivery.attempts}`;
    if (waitMs > 0 && waitedFor !== attemptName) {
      // Afterwards another process may be the one that delivers, so the store is asked again.
      waiting.set(address.key, new Date(clock.now() + waitMs).toISOString());
      await clock.pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
      waiting.delete(address.key);
      waitedFor = attemptName;
      continue;
    }
    if (isQuietAt(clock.now())) {
      // An address that works again at night must not ring.
      await clock.pause(QUIET_STEP_MS - (clock.now() % QUIET_STEP_MS), signal);
      continue;
    }
    const outcome = await address.send(JSON.parse(delivery.message.event) as AlertEvent, signal);
    if (signal.aborted && !outcome.isDelivered) return;
    const attempt = attemptOf(delivery, outcome, clock);
    if (!outcome.isDelivered) restUntil = clock.now() + restMs(outcome);
    isFailing = logAttempt(address.label, attempt, isFailing, clock);
    await ask(() => outbox.record(attempt));
  }
}

/** Logs what has changed with an attempt. Returns true if the address fails. */
function logAttempt(
  label: string,
  { outcome, answer, retryAt }: Attempt,
  wasFailing: boolean,
  clock: DeliveryClock,
): boolean {
  const say = (text: string) =>
    console.log(`[airboard] ${new Date(clock.now()).toISOString()} notifications: ${text}`);
  if (outcome === 'failed') say(`one for ${label} is given up: ${answer}`);
  else if (outcome === 'retry' && !wasFailing)
    say(`${label} takes none: ${answer}. It is tried again from ${retryAt} on.`);
  else if (outcome === 'delivered' && wasFailing) say(`${label} takes them again`);
  return outcome !== 'delivered';
}

const restMs = ({ retryAfterSeconds = 0 }: { retryAfterSeconds?: number }) =>
  Math.min(retryAfterSeconds * 1000, LONGEST_WAIT_MS);

function attemptOf(
  { message, address, attempts }: Delivery,
  outcome: SendOutcome,
  clock: DeliveryClock,
): Attempt {
  const now = clock.now();
  const at = new Date(now).toISOString();
  const attempt = { messageId: message.id, address, at, answer: outcome.text, retryAt: null };
  if (outcome.isDelivered) return { ...attempt, outcome: 'delivered' };
  if (outcome.isGone) return { ...attempt, outcome: 'failed' };
  const retryAt = retryTime({ attempts, createdAt: message.createdAt, now, ...outcome }, clock.random());
  return { ...attempt, outcome: retryAt ? 'retry' : 'failed', retryAt };
}

/** Asks the store again while it can't be reached. Returns null if the lease is lost, or `signal` is aborted meanwhile. */
async function untilReached<T>(
  question: () => Promise<T>,
  clock: DeliveryClock,
  signal: AbortSignal,
): Promise<T | null> {
  for (let pauseMs = STORE_PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, STORE_PAUSE_MS.longest)) {
    try {
      return await question();
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      if (!(error instanceof StoreUnavailableError)) console.error('[airboard] notifications:', error);
    }
    if (!signal.aborted) await clock.pause(pauseMs, signal);
    if (signal.aborted) return null;
  }
}

const SYSTEM_CLOCK: DeliveryClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    }),
};
