import { type Correction, changesValues } from '../../readings/correction';
import type { Metric } from '../../readings/metric';

/** A correction in a viewer's unit. */
type Amount = Pick<Correction, 'offset' | 'factor'>;

/** Converts a correction to the viewer's unit: 1.8 °F for 1 °C. */
function shownAmount({ shown }: Metric, { offset, factor }: Amount): Amount {
  if (!shown) return { offset, factor };
  return { offset: rounded(shown.factor * offset - shown.offset * (factor - 1)), factor };
}

/** The inverse of `shownAmount`. */
export function storedAmount({ shown }: Metric, { offset, factor }: Amount): Amount {
  if (!shown) return { offset, factor };
  return { offset: rounded((offset + shown.offset * (factor - 1)) / shown.factor), factor };
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** Returns `by −64 PPM`, `by × 1.02`, or `by × 1.02 and −64 PPM`. */
export function amountText(metric: Metric, correction: Amount): string {
  if (!changesValues(correction)) return 'not corrected';
  const { offset, factor } = shownAmount(metric, correction);
  const parts = [factor !== 1 && `× ${factor}`, offset !== 0 && signed(offset, metric)];
  return `by ${parts.filter(Boolean).join(' and ')}`;
}

/** Returns `−64 PPM` or `+12 PPM`. */
export function signed(offset: number, { unit }: Pick<Metric, 'unit'>): string {
  return `${offset < 0 ? '−' : '+'}${Math.abs(offset)}${unit && ` ${unit}`}`;
}
