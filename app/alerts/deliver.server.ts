import type { AlertAddress, AlertEvent, SendOutcome } from '../providers/alert-event';
import {
  type AlertStore,
  type Attempt,
  type Delivery,
  LeaseLostError,
  type Waiting,
} from '../store/alert-store';
import { StoreUnavailableError } from '../store/reading-store';
import { MessageLimit, summaryOf } from './summary.server';

export interface DeliveryClock {
  now(): number;
  /** Resolves after `ms`, or when `signal` is aborted. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
}

export interface DeliveryRules {
  isQuietAt(now: number): boolean;
  publicUrl: string | null;
}

export interface RunningDelivery {
  /** Checks the outbox for messages. Call it after a commit, and when this process gets the lease back. */
  wake(): void;
  /** The time of the next attempt (ISO 8601 in UTC) for each waiting address, by its key. */
  nextAttempts(): Map<string, string>;
  /** Aborts messages in progress. They are sent again after the next start. */
  stop(): Promise<void>;
}

type Outbox = Pick<AlertStore, 'waiting' | 'summarize' | 'record'>;

/** Delays between attempts to reach the store. */
const STORE_DELAY_MS = { first: 1000, longest: 60_000 };
/** The longest wait, even if a wrong clock put the next attempt years ahead. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Quiet hours end at a full minute, so they are checked once a minute. */
const QUIET_STEP_MS = 60_000;

/** Older messages are given up. */
const DELIVERY_SPAN_MS = 24 * 3_600_000;
/** Delays between attempts. Each is twice the one before. */
const RETRY_DELAY_MS = { first: 5000, longest: 3_600_000 };

/**
 * Delivers the outbox to each address, independently of the others. A message is tried until it is accepted or a day
 * old, and may arrive more than once. Only a sensor's newest message is sent. Many sensors at once get one summary.
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

interface Loop {
  address: AlertAddress;
  /** One controller per address: Node warns of a leak if a single one has many listeners. */
  stopping: AbortController;
  /** Aborted to end the wait for messages, even one that hasn't begun yet. Replaced before each check of the outbox. */
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
  /** The end of the address's `Retry-After`, in milliseconds since 1970. */
  let restUntil = 0;
  /** The last attempt whose wait is over. It stays due if the clock is set back. */
  let waitedFor = '';
  /** A line is logged when an address begins to fail and when it works again. */
  let isFailing = false;
  /** Returns null once this process no longer delivers. */
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
      // Asks the store again afterwards, because another process may deliver by then.
      loop.nextAttempt = new Date(clock.now() + waitMs).toISOString();
      await clock.wait(Math.min(waitMs, LONGEST_WAIT_MS), signal);
      loop.nextAttempt = undefined;
      waitedFor = attemptName;
      continue;
    }
    if (isQuietAt(clock.now())) {
      // Quiet hours apply to retries too: an address that recovers at night must not ring.
      await clock.wait(QUIET_STEP_MS - (clock.now() % QUIET_STEP_MS), signal);
      continue;
    }
    const isTried = isFailing || first.attempts > 0;
    const step = isTried || address.takesAll ? { send: first } : limit.next(found, clock.now());
    if ('send' in step) await send(step.send);
    else if ('summarize' in step) await summarize(found, step.kept, step.summarize);
    // A new message ends the wait, because it may be from a sensor that has been known for longer.
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
  if (outcome === 'failed') say(`a message to ${label} was given up: ${answer}`);
  else if (outcome === 'retry' && !wasFailing)
    say(`${label} doesn't accept messages: ${answer}. The next attempt is at ${retryAt}.`);
  else if (outcome === 'delivered' && wasFailing) say(`${label} accepts messages again`);
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
  if (outcome.isPermanent) return { ...attempt, outcome: 'failed' };
  const { retryAfterSeconds = 0 } = outcome;
  const retryMs = now + Math.max(retryDelayMs(attempts, clock.random()), retryAfterSeconds * 1000);
  const isTooLate = retryMs > Date.parse(message.createdAt) + DELIVERY_SPAN_MS;
  if (isTooLate) return { ...attempt, outcome: 'failed' };
  return { ...attempt, outcome: 'retry', retryAt: new Date(retryMs).toISOString() };
}

/** Doubles from 5 s to an hour, plus a random part of up to half, so that many senders don't retry together. */
function retryDelayMs(attempts: number, random: number): number {
  return Math.min(RETRY_DELAY_MS.first * 2 ** attempts, RETRY_DELAY_MS.longest) * (1 + random / 2);
}

/** Repeats the question until the store can be reached. Returns null if the lease is lost or `signal` is aborted. */
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
