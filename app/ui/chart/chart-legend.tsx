import type { ReactNode } from 'react';
import type { Metric, MetricField } from '../../readings/metric';
import { type ChartModel, metricLabel } from './chart-model';
import type { MetricChoice } from './drawn-metrics';
import type { RoomColor, RoomLook } from './room-looks';

interface ChartLegendProps {
  model: Pick<ChartModel, 'drawn' | 'named' | 'measured' | 'isAveraged'>;
  hidden: readonly MetricField[];
  /** Hides a line or shows it again. Undefined if the legend isn't interactive: on a wall, and before hydration. */
  onToggle: ((field: MetricField) => void) | undefined;
  /** If given, the legend lists all metrics of the sensor, to choose the drawn ones. */
  choice?: MetricChoice;
  children?: ReactNode;
}

const CHIP_LOOK =
  'flex min-h-9 cursor-pointer items-center gap-[0.6em] rounded-full border border-line px-3 text-[0.8125rem] text-muted hover:border-accent aria-pressed:border-muted/75 aria-pressed:bg-canvas aria-pressed:text-ink forced-colors:aria-pressed:border-[Highlight]';

const ENTRY_LOOK = 'flex min-h-[28px] items-center gap-[0.6em]';

/** The legend, with a button for each line. Chart.js would draw it on the canvas, where a keyboard can't reach it. */
export function ChartLegend({ model, hidden, onToggle, choice, children }: ChartLegendProps) {
  return (
    <fieldset
      className={`flex flex-wrap items-center justify-center text-[0.75em] ${choice ? 'mt-2 gap-1.5' : 'gap-x-[1.3em]'}`}
    >
      <legend className="sr-only">
        {choice ? 'Metrics of the chart, two at most' : 'Lines of the chart'}
      </legend>
      {choice?.metrics.map((metric) => {
        const isDrawn = model.drawn.includes(metric);
        return (
          <button
            key={metric.field}
            type="button"
            disabled={!onToggle}
            aria-pressed={isDrawn}
            onClick={() => choice.choose(metric.field)}
            className={CHIP_LOOK}
          >
            {isDrawn && <LineSample line={metric} />}
            {isDrawn ? metricLabel(metric, model) : metric.name}
          </button>
        );
      })}
      {(choice ? [] : model.named).map((metric) => {
        const { field } = metric;
        const content = (
          <>
            <LineSample line={metric} />
            {metricLabel(metric, model)}
          </>
        );
        if (!onToggle)
          return (
            <span key={field} data-entry={field} className={ENTRY_LOOK}>
              {content}
            </span>
          );
        return (
          <button
            key={field}
            type="button"
            aria-pressed={!hidden.includes(field)}
            onClick={() => onToggle(field)}
            className={`${ENTRY_LOOK} cursor-pointer not-aria-pressed:line-through`}
          >
            {content}
          </button>
        );
      })}
      {model.isAveraged && (
        <span data-entry="band" className="text-muted">
          lowest to highest shaded
        </span>
      )}
      {children}
    </fieldset>
  );
}

/** A sample of a line, twice as wide as the text is high. */
export function LineSample({ line }: { line: Metric | RoomLook }) {
  if (!('field' in line)) return <RoomSample {...line} />;
  const dashes = line.dash.length > 0 ? 'border-dashed' : '';
  return (
    <span
      aria-hidden
      data-metric={line.field}
      className={`w-[2em] flex-none border-t-2 border-(--metric) ${dashes}`}
    />
  );
}

const ROOM_INKS: Record<RoomColor, string> = {
  'room-1': 'text-room-1',
  'room-2': 'text-room-2',
  'room-3': 'text-room-3',
  'room-4': 'text-room-4',
  'room-5': 'text-room-5',
  'room-6': 'text-room-6',
};

/** A sample with the exact dashes of a room's line, which a border can't draw. */
function RoomSample({ color, dash }: RoomLook) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 34 4"
      width="34"
      height="4"
      className={`flex-none ${ROOM_INKS[color]} forced-colors:text-[CanvasText]`}
    >
      <path d="M0 2h34" strokeDasharray={dash.join(' ')} className="fill-none stroke-current stroke-[2.5]" />
    </svg>
  );
}
