import type { ReadingInput } from '../../../readings/reading';
import { BATCH_READINGS, type InsertResult, type ReadingRejectedError } from '../../reading-store';
import { isLocked, LOCK_RETRY_MS, LOCK_TIMEOUT_MS } from '../file/sqlite-errors.server.js';

/**
 * The most readings of small batches that share a transaction and its `fsync`. Each reading may belong to a different day,
 * and each day adds pages to write.
 */
const SHARED_READINGS = 1000;

type Results = (InsertResult | ReadingRejectedError)[];

interface Job {
  readings: readonly ReadingInput[];
  /** The end of retries, in milliseconds since 1970. */
  deadline: number;
  resolve(results: Results): void;
  reject(reason: unknown): void;
}

/**
 * Queues inserts. Single readings of the same event-loop turn share a transaction, so that one `fsync` makes all of
 * them durable. Single readings and batches take turns: a single reading waits for at most one batch, and no batch
 * waits forever. A transaction blocks the event loop, so it has at most `BATCH_READINGS` readings, or `SHARED_READINGS`
 * of small batches.
 *
 * @param insertAll stores all readings in one transaction
 * @param onFailure called with an error of `insertAll`; returns the error that the inserts are rejected with
 */
export function insertQueue(
  insertAll: (readings: readonly ReadingInput[]) => Results,
  onFailure: (error: unknown) => unknown,
) {
  let singles: Job[] = [];
  let batches: Job[] = [];
  let isSinglesTurn = false;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || singles.length + batches.length === 0) return;
    isScheduled = true;
    setImmediate(commit);
  }

  /** Takes the jobs of the next transaction from the queue, alternately single readings and batches. */
  function take(): Job[] {
    isSinglesTurn = singles.length > 0 && (!isSinglesTurn || batches.length === 0);
    if (isSinglesTurn) return singles.splice(0, BATCH_READINGS);
    const jobs = batches.splice(0, 1);
    let rows = jobs[0]?.readings.length ?? 0;
    for (let next = batches[0]; next && rows + next.readings.length <= SHARED_READINGS; next = batches[0]) {
      rows += next.readings.length;
      jobs.push(next);
      batches.shift();
    }
    return jobs;
  }

  function commit(): void {
    isScheduled = false;
    const jobs = take();
    let results: Results;
    try {
      results = insertAll(jobs.flatMap(({ readings }) => readings));
    } catch (error) {
      retryOrReject(jobs, error);
      return;
    }
    schedule();
    let start = 0;
    for (const { readings, resolve } of jobs) {
      resolve(results.slice(start, start + readings.length));
      start += readings.length;
    }
  }

  /** Keeps jobs in the queue until their deadline while another process holds the lock. */
  function retryOrReject(jobs: readonly Job[], error: unknown): void {
    const now = Date.now();
    const retried = isLocked(error) ? jobs.filter(({ deadline }) => now < deadline) : [];
    if (retried.length < jobs.length) {
      const rejection = onFailure(error);
      for (const job of jobs) if (!retried.includes(job)) job.reject(rejection);
    }
    if (retried.length === 0) {
      schedule();
      return;
    }
    singles = [...retried.filter(isSingle), ...singles];
    batches = [...retried.filter((job) => !isSingle(job)), ...batches];
    isScheduled = true;
    setTimeout(commit, LOCK_RETRY_MS);
  }

  return {
    /** Resolves with the outcome of each reading once the stored ones are durable. */
    add: (readings: readonly ReadingInput[]) =>
      new Promise<Results>((resolve, reject) => {
        const job = { readings, deadline: Date.now() + LOCK_TIMEOUT_MS, resolve, reject };
        (isSingle(job) ? singles : batches).push(job);
        schedule();
      }),
    isEmpty: () => !isScheduled && singles.length + batches.length === 0,
  };
}

const isSingle = ({ readings }: Job) => readings.length === 1;
