import type { Metric } from '../../readings/metric';
import { METRIC_LINES } from './metric-lines';

/** Classes, because the page's security policy refuses the styles of an element that the server has rendered. */
const COLORS = {
  co2: 'border-co2 forced-colors:border-[LinkText]',
  voc: 'border-voc forced-colors:border-[CanvasText]',
};

/** A piece of a metric's line beside its name, twice as wide as the text is high. */
export function LineSample({ metric: { field } }: { metric: Metric }) {
  const dashes = METRIC_LINES[field].dash.length > 0 ? 'border-dashed' : '';
  return <span aria-hidden className={`w-[2em] flex-none border-t-2 ${COLORS[field]} ${dashes}`} />;
}
