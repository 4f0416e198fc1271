import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked } from '../file/sqlite-errors.server.js';
import { lastDayOver, type sqliteDirtyDays, type sqliteLevelLimits } from './sqlite-dirty-days.server';

/** The interval at which the job looks for dirty days. */
const INTERVAL_MS = 10 * 60_000;
/** The wait after an import, which the job would slow down, and after a lock. An import makes more than `FEW_DAYS` days dirty. */
const SOON_MS = 5000;
/**
 * The job runs early only if more days than this become dirty. A few dirty days, which late readings cause, cost queries
 * little.
 */
const FEW_DAYS = 7;
/** The longest time that the job blocks the event loop, unless a single day takes longer. */
const TURN_MS = 4;
/** The most days per event-loop turn, if they take no longer than `TURN_MS`. */
const TURN_DAYS = 8;
/** The interval at which the job checks if it may continue. */
const PAUSE_MS = 1000;
/** The interval of progress messages. */
const REPORT_MS = 10_000;
/** Up to this many days are computed without a message in the log. */
const SILENT_DAYS = 31;

interface Job {
  /** Corrects some stored readings again, as many as fit into an event-loop turn. Returns false if none is left. */
  correct: () => boolean;
  dirtyDays: ReturnType<typeof sqliteDirtyDays>;
  levelLimits: Pick<ReturnType<typeof sqliteLevelLimits>, 'ofSensor' | 'set'>;
  /** Runs writes in a transaction. */
  write: (writes: () => void) => void;
  /**
   * Returns true while another program prevents a complete checkpoint of the write-ahead log. The first commit
   * afterwards copies everything that was written meanwhile into the file at once.
   */
  isLogLong: () => boolean;
  /** Called with every error except a lock. */
  onFailure: (error: unknown) => void;
  /** The file's path, for messages. */
  file: string;
}

/**
 * Keeps the history up to date in the background. Corrects readings after a change of corrections, computes missing slots, newest
 * days first, and then the roll-ups of past days. After each turn, waits as long as the turn took. Queries don't depend on the
 * job.
 *
 * @returns `noteInserts` has to be called after readings were stored, `noteCorrections` after a change of corrections, and `hurry`
 * after some were deleted or brought back
 */
export function startRollUpJob({ correct, dirtyDays, levelLimits, write, isLogLong, onFailure, file }: Job): {
  noteInserts(): void;
  noteCorrections(): void;
  hurry(): void;
  stop(): void;
} {
  let isStopped = false;
  /** The timers for the next check; the earlier one counts. `interval` is undefined while the job works. */
  let interval: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  /** The value of `pastMarks` at the last check, and when `soon` was set. */
  let [lookedAt, noted] = [0, 0];

  /**
   * Computes as much as fits into an event-loop turn. Returns the milliseconds that it took, or null if there was
   * nothing to do.
   */
  function work(): number | null {
    const startedAt = performance.now();
    if (correct()) return performance.now() - startedAt;
    levelLimits.set();
    const unbuilt = dirtyDays.newestUnbuilt();
    const days = unbuilt ? [] : dirtyDays.newest(lastDayOver(), TURN_DAYS);
    if (!unbuilt && days.length === 0) return null;
    write(() => {
      if (unbuilt) dirtyDays.build(unbuilt);
      for (const day of days) {
        dirtyDays.refresh(day, levelLimits.ofSensor(day.sensor));
        if (performance.now() - startedAt > TURN_MS) return;
      }
    });
    return performance.now() - startedAt;
  }

  async function run(): Promise<void> {
    const days = dirtyDays.countUnbuilt();
    const isSilent = days <= SILENT_DAYS;
    if (!isSilent) say(`computing the history of ${days} days, while the server answers`);
    for (let reportedAt = performance.now(); !isStopped; ) {
      if (isLogLong()) {
        await sleep(PAUSE_MS, undefined, { ref: false });
        continue;
      }
      const heldMs = work();
      if (heldMs === null) {
        if (!isSilent) say('the history is complete');
        return;
      }
      if (!isSilent && performance.now() - reportedAt > REPORT_MS) {
        reportedAt = performance.now();
        say(`${days - dirtyDays.countUnbuilt()} of ${days} days of the history are computed`);
      }
      await sleep(heldMs, undefined, { ref: false });
    }
  }

  const say = (text: string) => console.log(`[airboard] ${file}: ${text}`);

  async function start(): Promise<void> {
    clearTimers();
    let nextMs = INTERVAL_MS;
    try {
      await run();
    } catch (error) {
      if (isLocked(error)) nextMs = SOON_MS;
      else onFailure(error);
    }
    lookedAt = dirtyDays.pastMarks();
    noted = lookedAt;
    if (!isStopped) interval = setTimeout(start, nextMs).unref();
  }

  function clearTimers(): void {
    clearTimeout(interval);
    clearTimeout(soon);
    interval = undefined;
  }

  const starting = setImmediate(start);
  return {
    noteInserts() {
      const marks = dirtyDays.pastMarks();
      if (!interval || marks === noted || marks <= lookedAt + FEW_DAYS) return;
      noted = marks;
      clearTimeout(soon);
      soon = setTimeout(start, SOON_MS).unref();
    },
    noteCorrections() {
      // A running job looks for corrections itself.
      if (!interval) return;
      clearTimers();
      soon = setTimeout(start, 0).unref();
    },
    hurry() {
      // While the job works, it finds the days itself.
      if (interval) void start();
    },
    stop() {
      isStopped = true;
      clearImmediate(starting);
      clearTimers();
    },
  };
}
