import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reading } from '../../../app/readings/reading';
import type { RollUp } from '../../../app/readings/roll-up/roll-up';
import type { HistoryQuery, ReadingStore } from '../../../app/store/reading-store';
import { rollUpReadings } from './roll-up-readings';

const PAGE = 500;

/** A store in memory of one sensor's readings, which notes its queries. */
export interface HistoryStore extends Pick<ReadingStore, 'rollUps'> {
  queries: HistoryQuery[];
  /** How many queries have run at a time, at most. */
  concurrent(): number;
  /** How many roll-ups were read. */
  read(): number;
}

/** Makes the store. Each page of roll-ups has its own turn of the event loop. */
export function historyStore(readings: readonly Reading[]): HistoryStore {
  const known = new Map<string, RollUp[]>();
  const queries: HistoryQuery[] = [];
  let [running, concurrent, read] = [0, 0, 0];
  return {
    queries,
    concurrent: () => concurrent,
    read: () => read,
    async *rollUps(query) {
      const { from, to, step, phase = 0, thresholds } = query;
      queries.push(query);
      running += 1;
      concurrent = Math.max(concurrent, running);
      const key = `${step} ${phase}`;
      const all = known.get(key) ?? rollUpReadings(readings, { step, phase }, thresholds);
      known.set(key, all);
      const found = all.filter(({ start }) => from <= start && start < to);
      read += found.length;
      for (let i = 0; i < found.length; i += PAGE) {
        await nextTurn();
        yield found.slice(i, i + PAGE);
      }
      running -= 1;
    },
  };
}
