import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked } from '../file/sqlite-errors.server.js';
import { lastDayOver, type sqliteLevelLimits, type sqliteStaleDays } from './sqlite-stale-days.server';

/** How often the job looks for stale days. */
const INTERVAL_MS = 10 * 60_000;
/** When it looks after the last readings of an import, which it would slow down. They make more than `FEW_DAYS` stale. */
const SOON_MS = 5000;
/** Late readings of some sensors make this many days stale, which cost a query little. */
const FEW_DAYS = 7;
/** How long the job holds the event loop, unless one day takes longer. */
const TURN_MS = 4;
/** Days that are computed at once, if they take no longer. */
const TURN_DAYS = 8;
/** How often the job looks whether it may go on. */
const PAUSE_MS = 1000;
/** How often the job says how far it is. */
const REPORT_MS = 10_000;
/** Up to this many days are computed without a line in the log. */
const SILENT_DAYS = 31;

interface Job {
  staleDays: ReturnType<typeof sqliteStaleDays>;
  levelLimits: Pick<ReturnType<typeof sqliteLevelLimits>, 'limits' | 'set'>;
  /** Runs writes in a transaction. */
  write: (writes: () => void) => void;
  /**
   * Tells whether another program keeps the write-ahead log from being emptied. All that the job writes meanwhile would
   * be copied into the file at once, by the first commit after that.
   */
  isLogLong: () => boolean;
  /** Gets each error that a later attempt may not have. */
  onFailure: (error: unknown) => void;
  /** The store's name in the log. */
  file: string;
}

/**
 * Keeps the history up to date in the background: computes slots that are missing, the newest days first, and the
 * roll-ups of days that are over. It uses half of the time that others leave. Queries don't depend on it.
 *
 * @returns `noteInserts` is to be called after readings were stored
 */
export function startRollUpJob({ staleDays, levelLimits, write, isLogLong, onFailure, file }: Job): {
  noteInserts(): void;
  stop(): void;
} {
  let isStopped = false;
  /** When the job looks next: at the earlier one. Undefined while it works. */
  let interval: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  /** The marks of days when the job had looked last, and when `soon` was set. */
  let [lookedAt, noted] = [0, 0];

  /** Computes what fits into an event-loop turn. Returns how long it blocked, or null if there was nothing to do. */
  function work(): number | null {
    levelLimits.set();
    const unbuilt = staleDays.newestUnbuilt();
    const days = unbuilt ? [] : staleDays.newest(lastDayOver(), TURN_DAYS);
    if (!unbuilt && days.length === 0) return null;
    const startedAt = performance.now();
    write(() => {
      if (unbuilt) staleDays.build(unbuilt);
      for (const day of days) {
        staleDays.refresh(day, levelLimits.limits);
        if (performance.now() - startedAt > TURN_MS) return;
      }
    });
    return performance.now() - startedAt;
  }

  async function run(): Promise<void> {
    const days = staleDays.countUnbuilt();
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
        say(`${days - staleDays.countUnbuilt()} of ${days} days of the history are computed`);
      }
      await sleep(heldMs, undefined, { ref: false });
    }
  }

  const say = (text: string) => console.log(`[airboard] ${file}: ${text}`);

  async function start(): Promise<void> {
    clearTimers();
    try {
      await run();
    } catch (error) {
      if (!isLocked(error)) onFailure(error);
    }
    lookedAt = staleDays.pastMarks();
    noted = lookedAt;
    if (!isStopped) interval = setTimeout(start, INTERVAL_MS).unref();
  }

  function clearTimers(): void {
    clearTimeout(interval);
    clearTimeout(soon);
    interval = undefined;
  }

  const starting = setImmediate(start);
  return {
    noteInserts() {
      const marks = staleDays.pastMarks();
      if (!interval || marks === noted || marks <= lookedAt + FEW_DAYS) return;
      noted = marks;
      clearTimeout(soon);
      soon = setTimeout(start, SOON_MS).unref();
    },
    stop() {
      isStopped = true;
      clearImmediate(starting);
      clearTimers();
    },
  };
}
