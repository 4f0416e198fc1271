/** A preset for the length of the chart's history. */
export interface Range {
  name: string;
  /** The number of neighbouring readings averaged into one point once more than 40 exist. */
  interval: number;
  /** Only this many of the newest readings are used. */
  maxPoints: number;
  /** The button is disabled below this many readings. */
  enabledFrom: number;
}

/** The required ranges (decision 0001). 24HR is enabled from 5670 readings, not from 5760. */
export const RANGES = [
  { name: '10MIN', interval: 4, maxPoints: 40, enabledFrom: 0 },
  { name: '1HR', interval: 20, maxPoints: 240, enabledFrom: 240 },
  { name: '6HR', interval: 80, maxPoints: 1440, enabledFrom: 1440 },
  { name: '24HR', interval: 240, maxPoints: 5760, enabledFrom: 5670 },
] as const satisfies readonly Range[];

export const DEFAULT_RANGE: Range = RANGES[0];

/** The most readings that a page keeps, which is what the longest range shows. */
export const HISTORY_LIMIT = Math.max(...RANGES.map(({ maxPoints }) => maxPoints));

/** Returns the preset with exactly this name, or undefined. */
export function findRange(name: string): Range | undefined {
  return RANGES.find((range) => range.name === name);
}
