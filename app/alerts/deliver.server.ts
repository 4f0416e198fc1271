import {
  type AlertStore,
  type Attempt,
  type Delivery,
  LeaseLostError,
  type Waiting,
} from '../store/alert-store';
import { StoreUnavailableError } from '../store/reading-store';
import type { AlertAddress, AlertEvent, SendOutcome } from './alert-event';
import { MessageLimit, summaryOf } from './summary.server';

export interface DeliveryClock {
  now(): number;
  /** Waits, at most until `signal` is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
}

export interface DeliveryRules {
  isQuietAt(now: number): boolean;
  publicUrl: string | null;
}

export interface RunningDelivery {
  /** Looks for messages: after a commit, and when this process holds the lease again. */
  wake(): void;
  /** When each address that waits is tried again, by its key: ISO 8601 in UTC. */
  nextAttempts(): Map<string, string>;
  /** Aborts messages in progress, which are sent again after the next start. */
  stop(): Promise<void>;
}

type Outbox = Pick<AlertStore, 'waiting' | 'summarize' | 'record'>;

/** Delays between questions while the store can't be reached. */
const STORE_DELAY_MS = { first: 1000, longest: 60_000 };
/** The longest wait, even if the clock of the last attempt was wrong by years. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** How often quiet hours are looked at, which end with a minute. */
const QUIET_STEP_MS = 60_000;

/** A message is given up at this age. */
const DELIVERY_SPAN_MS = 24 * 3_600_000;
/** Delays between attempts, which double. */
const RETRY_DELAY_MS = { first: 5000, longest: 3_600_000 };

/**
 * Delivers the outbox to each address, however slow the others are. A message is sent, at least once, until it is accepted or a day
 * old. Only a sensor's newest message is sent, and a crowd of sensors gets a summary.
 */
export function startDelivery(
  outbox: Outbox,
  addresses: AlertAddress[],
  rules: DeliveryRules,
  clock: DeliveryClock = SYSTEM_CLOCK,
): RunningDelivery {
  const loops = addresses.map(
    (address): Loop => ({ address, stopping: new AbortController(), waking: new AbortController() }),
  );
  const ended = loops.map((loop) => deliverTo(loop, outbox, rules, clock));
  const wake = () => {
    for (const { waking } of loops) waking.abort();
  };
  return {
    wake,
    nextAttempts: () =>
      new Map(loops.flatMap(({ address, nextAttempt }) => (nextAttempt ? [[address.key, nextAttempt]] : []))),
    stop: async () => {
      for (const { stopping } of loops) stopping.abort();
      wake();
      await Promise.all(ended);
    },
  };
}

/** The delivery to one address. */
interface Loop {
  address: AlertAddress;
  /** With one for all addresses, Node would warn of many listeners. */
  stopping: AbortController;
  /** Ends a wait for messages, also one that begins later; replaced before each look. */
  waking: AbortController;
  nextAttempt?: string;
}

async function deliverTo(
  loop: Loop,
  outbox: Outbox,
  { isQuietAt, publicUrl }: DeliveryRules,
  clock: DeliveryClock,
): Promise<void> {
  const { address, stopping } = loop;
  const { signal } = stopping;
  const limit = new MessageLimit();
  /** `Retry-After` of the address, in milliseconds since 1970. */
  let restUntil = 0;
  /** The attempt whose time has come. It stays due if the clock is set back. */
  let waitedFor = '';
  /** The log has a line when an address begins to fail, and when it works again. */
  let isFailing = false;
  /** Returns null if this process doesn't deliver any more. */
  const ask = <T>(question: () => Promise<T>) => untilReached(question, clock, signal);

  async function send(delivery: Delivery): Promise<void> {
    const event: AlertEvent = JSON.parse(delivery.message.event);
    const outcome = await address.send(event, signal);
    if (signal.aborted && !outcome.isDelivered) return;
    const attempt = attemptOf(delivery, outcome, clock);
    if (!outcome.isDelivered) restUntil = clock.now() + restMs(outcome);
    if (attempt.outcome !== 'retry') limit.note(delivery, clock.now());
    isFailing = logAttempt(address.label, attempt, isFailing, clock);
    await ask(() => outbox.record(attempt));
  }

  async function summarize(found: Waiting, kept: readonly Delivery[], named: readonly Delivery[]) {
    const sensors = found.sensors - kept.length;
    const summary = summaryOf(found, address.key, named, sensors, publicUrl, clock.now());
    const instead = { kept: kept.map(({ message }) => message.id), newest: found.newest };
    await ask(() => outbox.summarize(address.key, instead, summary));
  }

  while (!signal.aborted) {
    const waking = new AbortController();
    loop.waking = waking;
    const found = await ask(() => outbox.waiting(address.key));
    const [first] = found?.deliveries ?? [];
    if (!found || !first) {
      await clock.wait(LONGEST_WAIT_MS, waking.signal);
      continue;
    }
    const waitMs = Math.max(Date.parse(first.retryAt ?? '') || 0, restUntil) - clock.now();
    const attemptName = `${first.message.id} ${first.attempts}`;
    if (waitMs > 0 && waitedFor !== attemptName) {
      // Afterwards another process may be the one that delivers, so the store is asked again.
      loop.nextAttempt = new Date(clock.now() + waitMs).toISOString();
      await clock.wait(Math.min(waitMs, LONGEST_WAIT_MS), signal);
      loop.nextAttempt = undefined;
      waitedFor = attemptName;
      continue;
    }
    if (isQuietAt(clock.now())) {
      // An address that works again at night must not ring.
      await clock.wait(QUIET_STEP_MS - (clock.now() % QUIET_STEP_MS), signal);
      continue;
    }
    const isTried = isFailing || first.attempts > 0;
    const step = isTried || address.takesAll ? { send: first } : limit.next(found, clock.now());
    if ('send' in step) await send(step.send);
    else if ('summarize' in step) await summarize(found, step.kept, step.summarize);
    // A sensor that has been known for longer may come meanwhile.
    else await clock.wait(step.waitMs, waking.signal);
  }
}

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
  const { retryAfterSeconds = 0 } = outcome;
  const retryMs = now + Math.max(retryDelayMs(attempts, clock.random()), retryAfterSeconds * 1000);
  const isTooLate = retryMs > Date.parse(message.createdAt) + DELIVERY_SPAN_MS;
  if (isTooLate) return { ...attempt, outcome: 'failed' };
  return { ...attempt, outcome: 'retry', retryAt: new Date(retryMs).toISOString() };
}

/** Doubles from 5 s to an hour, and is up to half as long again, so that many senders don't come back together. */
function retryDelayMs(attempts: number, random: number): number {
  return Math.min(RETRY_DELAY_MS.first * 2 ** attempts, RETRY_DELAY_MS.longest) * (1 + random / 2);
}

/** Asks the store again while it can't be reached. Returns null if the lease is lost, or `signal` is aborted meanwhile. */
async function untilReached<T>(
  question: () => Promise<T>,
  clock: DeliveryClock,
  signal: AbortSignal,
): Promise<T | null> {
  for (let delayMs = STORE_DELAY_MS.first; ; delayMs = Math.min(2 * delayMs, STORE_DELAY_MS.longest)) {
    try {
      return await question();
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      if (!(error instanceof StoreUnavailableError)) console.error('[airboard] notifications:', error);
    }
    if (!signal.aborted) await clock.wait(delayMs, signal);
    if (signal.aborted) return null;
  }
}

const SYSTEM_CLOCK: DeliveryClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
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
