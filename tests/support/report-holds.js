/**
 * Reports how long the event loop of a server under test is held, into which `node --import` loads it. SIGWINCH prints
 * the longest time since the last such line, and how much of it the main thread was on a processor.
 *
 * Linux tells how long a thread was on a processor and waited for one (Documentation/scheduler/sched-stats.rst,
 * "schedstat"). The wait is subtracted, so that other work on the machine doesn't count. What is left beside the time on
 * a processor is waiting for a disk, or for the threads of the garbage collector.
 */
import { openSync, readSync } from 'node:fs';

const INTERVAL_MS = 5;

const readTimes = createTimesReader();
let last = readClocks();
let longest = { heldMs: 0, processorMs: 0 };

setInterval(() => {
  const clocks = readClocks();
  const heldMs = clocks.now - last.now - INTERVAL_MS - (clocks.waited - last.waited);
  if (heldMs > longest.heldMs) longest = { heldMs, processorMs: clocks.ran - last.ran };
  last = clocks;
}, INTERVAL_MS).unref();

/** Reads all clocks at one moment: without a wait between them. */
function readClocks() {
  for (;;) {
    const { ran, waited } = readTimes();
    const now = performance.now();
    if (readTimes().waited === waited) return { now, ran, waited };
  }
}

process.on('SIGWINCH', () => {
  process.stdout.write(`[holds] ${longest.heldMs.toFixed(1)} ${longest.processorMs.toFixed(1)}\n`);
  longest = { heldMs: 0, processorMs: 0 };
});

/** Returns a function that returns how long the main thread was on a processor, and waited for one, in milliseconds. */
function createTimesReader() {
  if (process.platform !== 'linux') return () => ({ ran: 0, waited: 0 });
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  return () => {
    const [ran, waited] = bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  };
}
