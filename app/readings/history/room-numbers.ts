/** One metric's numbers of a sensor over a span, in `GET /api/rooms`. Values are null without a measurement. */
export interface RoomNumbers {
  sensor: string;
  group: string;
  average: number | null;
  highest: number | null;
  /** The time when the highest value was first measured, to the second. */
  highest_at: string | null;
  /** The hour of the day with the highest average, 0 to 23. */
  worst_hour: number | null;
  /** The time in each level; null for a metric without thresholds. */
  good_seconds: number | null;
  moderate_seconds: number | null;
  poor_seconds: number | null;
  measured_seconds: number;
}
