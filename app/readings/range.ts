/** A stretch of history the chart can show. */
export interface Range {
  name: string;
  /** How many neighbouring readings become one point once more than 40 exist. */
  interval: number;
  /** Only this many of the newest readings are used. */
  maxPoints: number;
  /** The button is disabled below this many readings. */
  enabledFrom: number;
}

/** Specification, section 9, to the letter: 24HR really opens at 5670, not at 5760. */
export const RANGES = [
  { name: '10MIN', interval: 4, maxPoints: 40, enabledFrom: 0 },
  { name: '1HR', interval: 20, maxPoints: 240, enabledFrom: 240 },
  { name: '6HR', interval: 80, maxPoints: 1440, enabledFrom: 1440 },
  { name: '24HR', interval: 240, maxPoints: 5760, enabledFrom: 5670 },
] as const satisfies readonly Range[];

export type RangeName = (typeof RANGES)[number]['name'];

export const DEFAULT_RANGE: Range = RANGES[0];

/** A page never keeps more readings than its longest range can show. */
export const HISTORY_LIMIT = Math.max(...RANGES.map(({ maxPoints }) => maxPoints));

/** The preset of that name, or undefined: names are exact, `1hr` is none. */
export function findRange(name: string): Range | undefined {
  return RANGES.find((range) => range.name === name);
}
