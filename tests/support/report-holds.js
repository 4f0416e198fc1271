/**
 * Reports how long the event loop of a server under test is held, into which `node --import` loads it. SIGWINCH prints
 * the longest time since the last such line.
 *
 * Linux tells how long a thread waited for a processor (Documentation/scheduler/sched-stats.rst, "schedstat"). That
 * time is subtracted, so that other work on the machine doesn't count; waiting for a disk does.
 */
import { openSync, readSync } from 'node:fs';

const INTERVAL_MS = 5;

const readWaitedMs = createWaitReader();
let last = readBoth();
let longest = 0;

setInterval(() => {
  const both = readBoth();
  longest = Math.max(longest, both.now - last.now - INTERVAL_MS - (both.waited - last.waited));
  last = both;
}, INTERVAL_MS).unref();

/** Reads both clocks at one moment: without a wait between them. */
function readBoth() {
  for (;;) {
    const waited = readWaitedMs();
    const now = performance.now();
    if (readWaitedMs() === waited) return { now, waited };
  }
}

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
