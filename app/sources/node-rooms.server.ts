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
  const mixed = new Map<string, readonly string[]>();
  return {
    /** Notes the room in a name. Returns the rooms of a node that measures a metric in several, else null. */
    note(node: string, field: MetricField, room: string): readonly string[] | null {
      if (room === '') return null;
      const key = `${field} ${node}`;
      const known = rooms.get(key) ?? new Set();
      rooms.set(key, known.add(room));
      dropOldest(rooms, MOST_METRICS);
      if (known.size > 1) mixed.set(node, [...known]);
      dropOldest(mixed, MOST_METRICS);
      return mixed.get(node) ?? null;
    },
  };
}
