import type { Metric } from '../../readings/metric';

/** Classes, because the page's security policy refuses the styles of an element that the server has rendered. */
const LOOKS = { co2: 'border-co2', voc: 'border-dashed border-voc' };

/** A piece of a metric's line beside its name, twice as wide as the text is high. */
export function LineSample({ metric }: { metric: Metric }) {
  return <span aria-hidden className={`w-[2em] flex-none border-t-2 ${LOOKS[metric.field]}`} />;
}
