import { dropOldest } from '../readings/drop-oldest';
import type { MetricField } from '../readings/metric';

/** The most metrics of nodes whose rooms are remembered. */
const MOST_METRICS = 10_000;

/**
 * Finds nodes whose values are from several rooms, such as a program that publishes `ha/sensor/bedroom_co2/state` and
 * `ha/sensor/kitchen_co2/state`. Joined, the readings would mix rooms.
 */
export function nodeRooms() {
  const rooms = new Map<string, Set<string>>();
  const mixed = new Set<string>();
  return {
    /** Notes the room in a name. Returns true if the node has measured a metric in several rooms, and the name has one. */
    note(node: string, field: MetricField, room: string): boolean {
      if (room === '') return false;
      const key = `${field} ${node}`;
      const known = rooms.get(key) ?? new Set();
      rooms.set(key, known.size < 2 ? known.add(room) : known);
      dropOldest(rooms, MOST_METRICS);
      if (known.size > 1) mixed.add(node);
      dropOldest(mixed, MOST_METRICS);
      return mixed.has(node);
    },
  };
}
