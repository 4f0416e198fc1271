import { mergeTotals, type RollUp } from './roll-up';

/** Steps to group by: in seconds, as in `HistoryQuery`. */
export interface Steps {
  step: number;
  phase?: number;
}

/** Returns the beginning of the step that a time lies in, all in seconds. */
export function stepStart(time: number, { step, phase = 0 }: Steps): number {
  return Math.floor((time - phase) / step) * step + phase;
}

/**
 * Yields the roll-ups of longer steps, each once it is complete.
 *
 * @param pages roll-ups of shorter steps, oldest first. None of them lies in two of the longer steps.
 */
export async function* groupRollUps(pages: AsyncIterable<RollUp[]>, steps: Steps): AsyncGenerator<RollUp[]> {
  let last: RollUp | undefined;
  for await (const page of pages) {
    const grouped = groupPage(last ? [last, ...page] : page, steps);
    last = grouped.pop();
    if (grouped.length > 0) yield grouped;
  }
  if (last) yield [last];
}

/** Returns the roll-ups of longer steps. */
export function groupPage(page: readonly RollUp[], steps: Steps): RollUp[] {
  const grouped: RollUp[] = [];
  for (const rollUp of page) {
    const start = stepStart(rollUp.start, steps);
    const last = grouped.at(-1);
    if (last?.start === start) {
      last.readings += rollUp.readings;
      last.co2 = mergeTotals(last.co2, rollUp.co2);
      last.voc = mergeTotals(last.voc, rollUp.voc);
    } else grouped.push({ ...rollUp, start });
  }
  return grouped;
}
