/**
 * Reports how long the event loop of a server under test is held. `node --import` loads it into the server. SIGWINCH
 * prints the longest time since the previous SIGWINCH, and the main thread's processor time during it.
 *
 * Linux reports how long a thread ran and how long it waited for a processor (Documentation/scheduler/sched-stats.rst,
 * "schedstat"). That wait is subtracted, so that other work on the machine doesn't count. The garbage collector waits
 * for V8's threads, so their wait is subtracted too. The rest is processor time and waiting for a disk.
 */
import { openSync, readdirSync, readSync } from 'node:fs';

const INTERVAL_MS = 5;

/** Includes V8's threads, which are started before this module loads. */
const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [];
const readTimes = createTimesReader(String(process.pid));
const helpers = threads.filter((id) => id !== String(process.pid)).map(createTimesReader);
let last = readClocks();
let longest = { heldMs: 0, processorMs: 0 };

setInterval(() => {
  const clocks = readClocks();
  const processorMs = clocks.ran - last.ran;
  // The main thread waits for one helper at a time, and never while it runs.
  const helperWaited = Math.max(0, ...clocks.helpers.map((waited, i) => waited - (last.helpers[i] ?? 0)));
  const notWaitingMs = clocks.now - last.now - INTERVAL_MS - (clocks.waited - last.waited) - helperWaited;
  const heldMs = Math.max(notWaitingMs, processorMs);
  if (heldMs > longest.heldMs) longest = { heldMs, processorMs };
  last = clocks;
}, INTERVAL_MS).unref();

/** Reads all clocks at one moment, without a wait between them. */
function readClocks() {
  for (;;) {
    const { ran, waited } = readTimes();
    const now = performance.now();
    const clocks = { now, ran, waited, helpers: helpers.map((read) => read().waited) };
    if (readTimes().waited === waited) return clocks;
  }
}

process.on('SIGWINCH', () => {
  process.stdout.write(`[holds] ${longest.heldMs.toFixed(1)} ${longest.processorMs.toFixed(1)}\n`);
  longest = { heldMs: 0, processorMs: 0 };
});

/**
 * Returns a function that returns a thread's time on a processor, and its wait for one, in milliseconds.
 *
 * @param {string} thread
 */
function createTimesReader(thread) {
  if (process.platform !== 'linux') return () => ({ ran: 0, waited: 0 });
  const file = openSync(`/proc/self/task/${thread}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  return () => {
    const [ran, waited] = bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  };
}
