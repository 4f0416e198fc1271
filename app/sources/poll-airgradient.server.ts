import { setTimeout as sleep } from 'node:timers/promises';
import type { AirGradientMonitor } from '../config/source-settings.server';
import { logError } from '../http/guard/refusal-log.server';
import { translateAirGradient } from '../ingest/devices';
import { storeReading } from '../ingest/take-post.server';
import type { ReadingStore } from '../store/reading-store';
import { type Source, sayChanges } from './source';

const EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** The largest response in bytes. A usual one has 500, or 2,000 with satellites. */
const ANSWER_LIMIT = 16 * 1024;

interface Pace {
  everyMs?: number;
  timeoutMs?: number;
}

/** Requests a monitor's newest values once a minute, and stores its CO2 with the server's time. */
export function pollAirGradient(
  { host, sensor }: AirGradientMonitor,
  store: Pick<ReadingStore, 'insert'>,
  { everyMs = EVERY_MS, timeoutMs = TIMEOUT_MS }: Pace = {},
): Source {
  const stopping = new AbortController();
  const say = sayChanges(`AirGradient at ${host}`);
  let isAway: boolean | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const problem = await poll().catch((error) => {
        logError(error);
        return 'unexpected error';
      });
      if (stopping.signal.aborted) return;
      // Only the first reason is logged, because it may change while a monitor can't be reached, such as during its
      // restart.
      if (problem !== null && !isAway) say(`${problem}. airboard retries once a minute`);
      if (problem === null && isAway !== false) say(isAway ? 'answers again' : 'answers');
      isAway = problem !== null;
      const waitMs = Math.max(everyMs - (performance.now() - startedAt), 0);
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  /** Returns the reason why no reading was stored, or null if one was. */
  async function poll(): Promise<string | null> {
    let measures: unknown;
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
      measures = await askMonitor(host, signal);
    } catch (error) {
      return reasonOf(error, timeoutMs);
    }
    const answer = await storeReading(
      store,
      {
        header: () => null,
        address: () => `airgradient ${host}`,
        translate: (sent) => translateAirGradient(sent, sensor),
      },
      measures,
    );
    if (answer.ok) return null;
    const { detail, errors: [first] = [] } = answer;
    return first ? `${first.field} ${first.detail}` : detail.replace(/\.$/, '');
  }

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Requests a monitor's values. Follows no redirects, because monitors don't send any. */
async function askMonitor(host: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`http://${host}/measures/current`, { redirect: 'manual', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new BadAnswer(`answered with ${response.status} instead of its values`);
  }
  // The DOM type `ReadableStream` isn't iterable.
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > ANSWER_LIMIT) throw new BadAnswer(`sent more than ${ANSWER_LIMIT / 1024} KiB`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new BadAnswer('sent something other than JSON');
  }
}

/** A response that can't be from a monitor. The message describes it. */
class BadAnswer extends Error {}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof BadAnswer) return error.message;
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `has not answered within ${timeoutMs / 1000} s`;
  return `can't be reached: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message}`;
}
