import type { Transition } from '../../app/readings/air/air-state';
import { compareTimes } from '../../app/readings/reading';
import type { AlertChange, AlertStore, OutboxMessage, WatchedSensor } from '../../app/store/alert-store';

export type MemoryAlerts = ReturnType<typeof memoryAlerts>;

/** Keeps what alerts know in memory, as a store does that evaluators are restarted on. Delivers nothing. */
export function memoryAlerts() {
  let cursor: number | null = null;
  const sensors = new Map<string, WatchedSensor>();
  let transitions: Transition[] = [];
  const messages: OutboxMessage[] = [];
  const commits: AlertChange[] = [];
  let fault: Error | null = null;
  const isKey = (a: Pick<Transition, 'sensor' | 'at' | 'to'>) => (b: typeof a) =>
    a.sensor === b.sensor && a.at === b.at && a.to === b.to;
  const store: AlertStore = {
    hold: async () => true,
    load: async () => structuredClone({ cursor, sensors: [...sensors.values()] }),
    async commit(change) {
      if (fault) throw fault;
      commits.push(change);
      cursor = change.cursor;
      for (const watched of change.sensors) sensors.set(watched.sensor, structuredClone(watched));
      for (const key of [...change.withdrawn, ...change.transitions]) {
        transitions = transitions.filter((transition) => !isKey(key)(transition));
      }
      transitions.push(...structuredClone(change.transitions));
      transitions.sort((a, b) => compareTimes(a.at, b.at));
      for (const message of change.messages) {
        if (!messages.some(({ id }) => id === message.id)) messages.push(message);
      }
    },
    async transitionsSince(sensor, from) {
      const own = transitions.filter((transition) => transition.sensor === sensor);
      const before = own.filter(({ at }) => compareTimes(at, from) < 0).slice(-1);
      return structuredClone([...before, ...own.filter(({ at }) => compareTimes(at, from) >= 0)]);
    },
    nextDelivery: async () => null,
    record: async () => {},
    recent: async () => [],
    prune: async () => {},
    close: async () => {},
  };
  return {
    store,
    transitions: () => transitions,
    messages: () => messages.map(({ event }) => JSON.parse(event)),
    outbox: () => messages,
    commits: () => commits,
    sensors: () => sensors,
    /** Lets every commit fail; null for none. */
    failWith: (error: Error | null) => {
      fault = error;
    },
  };
}
