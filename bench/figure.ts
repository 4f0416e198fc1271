/** One line of the table. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
  /** What the same run measured for the thing to compare with; without one the figure is absolute. */
  baseline?: number;
  target?: Target;
}

/** A bound of the ratio to the baseline, or of the value where there is no baseline. */
export type Target = { atMost: number } | { atLeast: number };

/** A group of figures that are measured together: what `--only` names. */
export interface Measurement {
  name: string;
  measure(): Promise<Figure[]>;
}

/** What a target bounds. */
export function ratioOf({ value, baseline }: Figure): number | undefined {
  return baseline === undefined ? undefined : value / baseline;
}

/** Whether the target is met; undefined where there is none. */
export function isMet(figure: Figure): boolean | undefined {
  const { target, value } = figure;
  if (!target) return undefined;
  const bounded = ratioOf(figure) ?? value;
  return 'atMost' in target ? bounded <= target.atMost : bounded >= target.atLeast;
}
