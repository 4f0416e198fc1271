import { dropOldest } from '../readings/drop-oldest';
import { DAY_S } from '../readings/time/durations';
import type { RoomDay, RoomStore } from './room-store';

/** The most days kept, which take about 10 MB. */
const MOST_DAYS = 10_000;

/** Stores findings about rooms in memory, for a database that can't store them. */
export function memoryRoomStore(): RoomStore {
  const kept = new Map<string, RoomDay>();
  const keyOf = (sensor: string, day: number) => `${day} ${sensor}`;
  return {
    isLasting: false,
    async days({ sensor, from, to }) {
      const days: RoomDay[] = [];
      for (let day = from; day < to; day += DAY_S) {
        const found = kept.get(keyOf(sensor, day));
        if (found) days.push(found);
      }
      return days;
    },
    async keep(days) {
      for (const day of days) {
        kept.delete(keyOf(day.sensor, day.day));
        kept.set(keyOf(day.sensor, day.day), day);
      }
      dropOldest(kept, MOST_DAYS);
    },
  };
}
