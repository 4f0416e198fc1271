import { setTimeout as sleep } from 'node:timers/promises';
import type { PolledAddress } from '../config/poll-settings.server';
import { timeLimit } from '../config/time-limit.server.js';
import { logError } from '../http/guard/refusal-log.server';
import { storeReading } from '../ingest/take-post.server';
import { MINUTE_MS } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import { formatOf, type PolledFormat, readPaths, unknownFormat } from './polled-formats.server';
import { type Source, sayChanges } from './source';

const TIMEOUT_MS = 10_000;
/** The largest answer in bytes. An AirGradient monitor sends 500, or 2,000 with satellites, and a PurpleAir 3,000. */
const ANSWER_LIMIT = 64 * 1024;
/** A device that repeats its answer for this long measures nothing new. */
const STUCK_MS = 5 * MINUTE_MS;
/** For `POSTS_PER_MINUTE`, all polled readings count as posts of one client. */
const POLLED = { header: () => null, address: () => 'poll' } as const;

/** A device to poll. */
export interface PolledDevice extends PolledAddress {
  /** Undefined if the answer decides. */
  format?: PolledFormat;
}

/** A poll that stored a reading or found nothing new, with remarks about values that weren't taken; or what went wrong. */
type Outcome = { ok: true; remarks: string[]; as?: string } | { ok: false; problem: string };

/** Requests a device's newest values regularly, and stores them with the server's time. */
export function pollDevice(
  device: PolledDevice,
  store: Pick<ReadingStore, 'insert'>,
  { timeoutMs = TIMEOUT_MS, stuckMs = STUCK_MS } = {},
): Source {
  const { url, authorization, everyMs, sensor, paths, format } = device;
  const { host, hostname, pathname } = new URL(url);
  // A query may have a key, and so may a long part of a path (Philips Hue).
  const path = pathname.replace(/[^/]{16,}/g, '…');
  const label = format ? `${format.name} at ${host}` : `${host}${path}`;
  const stopping = new AbortController();
  const say = sayChanges(label);
  let isAway: boolean | undefined;
  let said = '';
  let repeated: { time: unknown; since: number } | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const outcome = await inTurn(host, poll).catch((error): Outcome => {
        logError(error);
        return { ok: false, problem: 'unexpected error' };
      });
      if (stopping.signal.aborted) return;
      report(outcome);
      const waitMs = Math.max(everyMs - (performance.now() - startedAt), 0);
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  function report(outcome: Outcome): void {
    if (!outcome.ok) {
      // Only the first reason is logged, because it may change while a device can't be reached, such as during its restart.
      const pace = everyMs === MINUTE_MS ? 'once a minute' : `every ${everyMs / 1000} s`;
      if (!isAway) say(`${outcome.problem}. airboard retries ${pace}`);
      isAway = true;
      return;
    }
    const remarks = outcome.remarks.join(', and ');
    if (isAway !== false || remarks !== said) {
      const answers = isAway ? 'answers again' : said ? 'answers with all values' : 'answers';
      const as = isAway === undefined && outcome.as ? `, read as ${outcome.as}` : '';
      say(remarks ? `answers${as}, but ${remarks}` : `${answers}${as}`);
    }
    said = remarks;
    isAway = false;
  }

  async function poll(): Promise<Outcome> {
    let answer: unknown;
    try {
      answer = await ask(url, authorization, timeLimit(timeoutMs, stopping.signal));
    } catch (error) {
      return { ok: false, problem: reasonOf(error, timeoutMs) };
    }
    const known = format ?? (paths ? undefined : formatOf(answer));
    if (!known && !paths) return { ok: false, problem: unknownFormat(answer) };
    const read = paths ? readPaths(answer, paths) : known?.read(answer);
    if (!read?.ok) return { ok: false, problem: read?.problem ?? '' };
    const outcome = { ok: true, remarks: read.remarks, as: format ? undefined : known?.name } as const;
    if (read.time !== undefined && read.time === repeated?.time) {
      const isStuck = performance.now() - repeated.since > stuckMs;
      return isStuck ? { ok: false, problem: 'repeats its values, with the same time' } : outcome;
    }
    const stored = await storeReading(store, POLLED, {
      ...read.value,
      sensor: sensor ?? read.value.sensor ?? hostname,
    });
    if (stored.ok) {
      repeated = { time: read.time, since: performance.now() };
      return outcome;
    }
    const { detail, errors: [first] = [] } = stored;
    return { ok: false, problem: first ? `${first.field} ${first.detail}` : detail.replace(/\.$/, '') };
  }

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The last request to each host. */
const turns = new Map<string, Promise<unknown>>();

/** Runs `work` once earlier work for the host has ended: small devices answer one request at a time. */
function inTurn<T>(host: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(host) ?? Promise.resolve()).then(work, work);
  turns.set(host, turn);
  return turn;
}

/** Requests an address. Follows no redirects, because devices don't send any. */
async function ask(url: string, authorization: string | undefined, signal: AbortSignal): Promise<unknown> {
  const headers = { Accept: 'application/json', ...(authorization && { Authorization: authorization }) };
  const response = await fetch(url, { headers, redirect: 'manual', signal });
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

/** An answer that can't be read. The message describes it. */
class BadAnswer extends Error {}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof BadAnswer) return error.message;
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `has not answered within ${timeoutMs / 1000} s`;
  return `can't be reached: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message}`;
}
