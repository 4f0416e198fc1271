/**
 * Reports how long the event loop of a server under test is held, into which `node --import` loads it. SIGWINCH prints
 * the longest time since the last such line.
 *
 * Linux tells how long a thread waited for a processor (Documentation/scheduler/sched-stats.rst, "schedstat"). That time
 * is subtracted, so that other work on the machine doesn't count; waiting for a disk does.
 */
import { openSync, readSync } from 'node:fs';

const INTERVAL_MS = 5;

const readWaitedMs = createWaitReader();
let last = performance.now();
let lastWaited = readWaitedMs();
let longest = 0;

setInterval(() => {
  const waited = readWaitedMs();
  const now = performance.now();
  longest = Math.max(longest, now - last - INTERVAL_MS - (waited - lastWaited));
  last = now;
  lastWaited = waited;
}, INTERVAL_MS).unref();

process.on('SIGWINCH', () => {
  process.stdout.write(`[holds] ${longest.toFixed(1)}\n`);
  longest = 0;
});

/** Returns a function that returns how long the main thread has waited for a processor so far, in milliseconds. */
function createWaitReader() {
  if (process.platform !== 'linux') return () => 0;
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  return () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ')[1]) / 1e6;
}
