/** One row of the table. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
  /** The baseline's value in the same run. A figure without a baseline is absolute. */
  baseline?: number;
  target?: Target;
}

/** A bound for the ratio to the baseline, or for the value if there is no baseline. */
export type Target = { atMost: number } | { atLeast: number };

/** A group of figures that are measured together. `--only` selects it by name. */
export interface Measurement {
  name: string;
  measure(): Promise<Figure[]>;
}

/** Returns the ratio of the value to the baseline; undefined without a baseline. */
export function ratioOf({ value, baseline }: Figure): number | undefined {
  return baseline === undefined ? undefined : value / baseline;
}

/** Returns true if a figure meets its target; undefined without a target. */
export function isMet(figure: Figure): boolean | undefined {
  const { target, value } = figure;
  if (!target) return undefined;
  const bounded = ratioOf(figure) ?? value;
  return 'atMost' in target ? bounded <= target.atMost : bounded >= target.atLeast;
}
