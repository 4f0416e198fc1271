import Histogram from 'prom-client/lib/histogram.js';
import { singleton } from '../config/singleton.server';

const EVERY_MS = 20;

/**
 * Returns how late timers have run since the first call, sampled every 20 ms. A histogram, unlike the percentiles of
 * `monitorEventLoopDelay`, needs no reset at each scrape, so any number of programs may scrape.
 */
export function eventLoopDelay(): Histogram {
  return singleton('event-loop-delay', () => {
    const histogram = new Histogram({
      name: 'airboard_event_loop_delay_seconds',
      help: 'How late a timer ran because the event loop was busy, sampled every 20 ms since the first scrape.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [],
    });
    let due = performance.now() + EVERY_MS;
    const sample = () => {
      const now = performance.now();
      histogram.observe(Math.max(0, now - due) / 1000);
      due = now + EVERY_MS;
    };
    setInterval(sample, EVERY_MS).unref();
    return histogram;
  });
}
