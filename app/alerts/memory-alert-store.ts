import type { Transition } from '../readings/air/air-state';
import type { AlertStore, Watch, WatchedSensor } from '../store/alert-store';

/**
 * Keeps the judged air in memory, for a database that can't store it. It keeps no messages, because without such a database
 * there is nobody to send them to.
 */
export function memoryAlertStore(): AlertStore {
  const known = new Map<string, WatchedSensor>();
  const last = new Map<string, Transition>();
  let cursor: number | null = null;
  let watched: Watch | null = null;
  return {
    hold: async () => true,
    load: async () => ({ cursor, sensors: [...known.values()] }),
    async commit(change) {
      cursor = change.cursor;
      for (const one of change.sensors) known.set(one.sensor, one);
      for (const transition of change.transitions) last.set(transition.sensor, transition);
    },
    async watch(next) {
      const before = watched;
      watched = next;
      return before;
    },
    lastTransition: async (sensor) => last.get(sensor) ?? null,
    waiting: async () => ({ deliveries: [], sensors: 0, states: [], newest: 0 }),
    summarize: async () => {},
    record: async () => {},
    recent: async () => [],
    recentMessages: async () => [],
    prune: async () => {},
    close: async () => {},
  };
}
