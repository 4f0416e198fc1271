import { singleton } from '../config/singleton.server';
import { type ApiRequest, type ApiResponse, type Refusal, refusalOf } from './answer';
import { passedOnClient } from './guard/client.server';
import { problem, problemOf } from './problem.server';

/** The most running and waiting reads, in total and per address. */
export interface GateLimits {
  running: number;
  waiting: number;
  runningOfAddress: number;
  waitingOfAddress: number;
}

/** One address can't take all places. Behind a proxy that isn't trusted, all clients share one address. */
const LIMITS: GateLimits = { running: 4, waiting: 32, runningOfAddress: 3, waitingOfAddress: 20 };

export const TOO_MANY_READS: Refusal = {
  status: 503,
  detail: 'Too many reads are waiting. Try again in a moment.',
  headers: { 'Retry-After': '2' },
};

export class TooManyReadsError extends Error {
  override name = 'TooManyReadsError';
}

export interface Asker {
  address: string;
  signal: AbortSignal;
  /** The same for equal requests, which share an answer; undefined if the answer can't be shared. */
  question?: string;
}

interface Read {
  question?: string;
  address: string;
  askers: number;
  leaving: AbortController;
  start: () => Promise<void>;
}

/**
 * Runs a few reads at a time and queues a few more. A queued read is dropped once all its clients have left; a running
 * one keeps its place until it has stopped. Equal questions share a queued read. They don't share a running read,
 * because it may lack a reading that was stored before a later question; that question runs afterwards.
 */
export function readGate(limits: GateLimits = LIMITS) {
  const running = new Set<Read>();
  const waiting: (Read & { answer: Promise<unknown> })[] = [];

  const countOf = (reads: Iterable<Read>, address: string) =>
    [...reads].filter((read) => read.address === address).length;

  const mayStart = (read: Read) =>
    running.size < limits.running &&
    countOf(running, read.address) < limits.runningOfAddress &&
    (read.question === undefined || ![...running].some(({ question }) => question === read.question));

  const isFull = (address: string) =>
    waiting.length >= limits.waiting || countOf(waiting, address) >= limits.waitingOfAddress;

  function startNext(): void {
    for (let next = waiting.findIndex(mayStart); next >= 0; next = waiting.findIndex(mayStart)) {
      const [read] = waiting.splice(next, 1);
      if (!read) return;
      running.add(read);
      read.start().finally(() => {
        running.delete(read);
        startNext();
      });
    }
  }

  function enqueue<Answer>({ address, question }: Asker, work: (signal: AbortSignal) => Promise<Answer>) {
    const leaving = new AbortController();
    let start: Read['start'] = async () => {};
    const answer = new Promise<Answer>((resolve) => {
      start = async () => {
        const answer = work(leaving.signal);
        resolve(answer);
        // Prevents an unhandled rejection if every client has left.
        await answer.catch(() => {});
      };
    });
    answer.catch(() => {});
    const read = { question, address, askers: 0, leaving, start, answer };
    waiting.push(read);
    return read;
  }

  /** Rejects when the client leaves. The read continues while another client waits for it. */
  function follow<Answer>(read: (typeof waiting)[number], { signal }: Asker): Promise<Answer> {
    read.askers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        read.askers -= 1;
        if (read.askers > 0) return;
        read.leaving.abort(signal.reason);
        const place = waiting.indexOf(read);
        if (place >= 0) waiting.splice(place, 1);
      };
      signal.addEventListener('abort', leave, { once: true });
      (read.answer as Promise<Answer>)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', leave));
    });
  }

  return {
    isFull,
    /**
     * Runs `work` when its turn comes. Rejects with `TooManyReadsError`, or with the abort reason of the asker's
     * signal.
     */
    async run<Answer>(asker: Asker, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
      asker.signal.throwIfAborted();
      const { question, address } = asker;
      let read = question === undefined ? undefined : waiting.find((each) => each.question === question);
      if (!read) {
        if (isFull(address)) throw new TooManyReadsError(TOO_MANY_READS.detail);
        read = enqueue(asker, work);
      }
      const answer = follow<Answer>(read, asker);
      startNext();
      return answer;
    },
  };
}

/** Pages have a separate gate: they read little, and shouldn't wait for a long history. */
const gates = singleton('read-gates', () => ({ api: readGate(), pages: readGate() }));

export const arePagesFull = (address: string): boolean => gates.pages.isFull(address);

/**
 * Answers an API request when its turn comes. Sends 503 if too many requests wait or the store fails, and nothing if
 * the client has left. `answer` gets a signal that is aborted when all its clients have left. Clients can't share a
 * stream.
 */
export async function answerInTurn(
  request: ApiRequest,
  answer: (signal: AbortSignal) => Promise<ApiResponse>,
  isStream = false,
): Promise<ApiResponse> {
  const question = isStream ? undefined : request.question();
  try {
    return await gates.api.run({ address: request.address(), signal: request.signal(), question }, answer);
  } catch (error) {
    return problem(error instanceof TooManyReadsError ? TOO_MANY_READS : refusalOf(error));
  }
}

/** Reads a page's data when its turn comes. Throws a `Response` with 503 if too many reads wait. */
export async function readPageInTurn<Data>(
  request: Request,
  read: (signal: AbortSignal) => Promise<Data>,
): Promise<Data> {
  try {
    return await gates.pages.run(passedOnClient(request), read);
  } catch (error) {
    if (!(error instanceof TooManyReadsError)) throw error;
    const { title, body, headers } = problemOf(TOO_MANY_READS);
    throw new Response(body, { status: TOO_MANY_READS.status, statusText: title, headers });
  }
}
