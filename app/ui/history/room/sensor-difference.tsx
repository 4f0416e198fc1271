import { useId, useState } from 'react';
import { useLive } from '../../../live/browser/use-live';
import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { quartilesOf } from '../../../readings/quantiles';
import type { SensorSummary } from '../../../readings/reading';
import { sensorLabel } from '../../../readings/sensor';
import { DAY_S, HOUR_S } from '../../../readings/time/durations';
import type { Span } from '../../../readings/time/history-span';
import { historyAddress, stepOf, stepsOf } from '../load-history';

interface SensorDifferenceProps {
  sensor: string;
  sensors: readonly SensorSummary[];
  span: Span;
}

/** The most steps of a comparison. */
const POINTS = 700;

/** Compares a sensor with another one in the same room, which the viewer chooses. */
export function SensorDifference({ sensor, sensors, span }: SensorDifferenceProps) {
  const id = useId();
  const [chosen, choose] = useState<string | null>(null);
  const others = sensors.filter(({ name, newest }) => name !== sensor && newest.co2 !== null);
  const other = others.some(({ name }) => name === chosen) ? chosen : null;
  const text = useDifference(sensor, other, span);
  if (others.length === 0) return null;
  return (
    <div className="mt-4 grid grid-cols-1 gap-2">
      {/* The text below names the sensors on paper, which has no controls. */}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 print:hidden">
        <label htmlFor={id}>In the same room as</label>
        <select
          id={id}
          value={other === null ? '' : `=${other}`}
          onChange={({ target }) => choose(target.value === '' ? null : target.value.slice(1))}
          className="min-h-11 max-w-full rounded-[0.625rem] border border-line bg-surface px-3 py-2"
        >
          <option value="">no other sensor</option>
          {others.map(({ name }) => (
            <option key={name} value={`=${name}`}>
              {sensorLabel(name)}
            </option>
          ))}
        </select>
      </div>
      <p role="status">{text}</p>
    </div>
  );
}

/** Returns how the CO2 of two sensors differs in a span; empty without another sensor. */
function useDifference(sensor: string, other: string | null, span: Span): string {
  const steps = stepsOf(span, stepOf(span, POINTS));
  const questionOf = (name: string) => (other === null ? null : { address: historyAddress(steps, name) });
  const questions = [questionOf(sensor), questionOf(other ?? '')] as const;
  const [own, others] = [useLive<HistoryAnswer>(questions[0]), useLive<HistoryAnswer>(questions[1])];
  if (other === null) return '';
  const problem = (own.failure ?? others.failure)?.message;
  if (problem) return `Can't compare them. ${problem}`;
  const [a, b] = [own, others].map(({ answered }, i) =>
    answered?.question.address === questions[i]?.address ? answered?.answer : undefined,
  );
  return a && b ? differenceText([sensorLabel(sensor), a], [sensorLabel(other), b]) : 'Comparing…';
}

type Named = [name: string, answer: HistoryAnswer];

/** Returns `Office reads 148 PPM more than Desk (median of 5 days, middle 50 % 140 to 155).` */
export function differenceText([name, answer]: Named, [otherName, otherAnswer]: Named): string {
  const others = new Map(otherAnswer.steps.map(({ start, co2 }) => [start, co2]));
  const differences = answer.steps.flatMap(({ start, co2 }) => {
    const other = others.get(start);
    return co2 && other ? co2.average - other.average : [];
  });
  if (differences.length === 0)
    return `${name} and ${otherName} have no readings at the same time in this span.`;
  const { lower, median, upper } = quartilesOf(differences);
  const time = timeText(differences.length * answer.step_seconds);
  // With `less`, the median loses its minus sign, so the range changes its sign too.
  const isMore = median >= 0;
  const [least, most] = (isMore ? [lower, upper] : [-upper, -lower]).map((value) => Math.round(value));
  const size = Math.round(Math.abs(median));
  const compared = size === 0 ? 'the same as' : `${size} PPM ${isMore ? 'more' : 'less'} than`;
  return `${name} reads ${compared} ${otherName} (median of ${time}, middle 50 % ${least} to ${most}).`;
}

/** Formats the time with readings of both, in one unit: `5 days`. */
function timeText(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * DAY_S ? [DAY_S, 'days'] : seconds >= 2 * HOUR_S ? [HOUR_S, 'hours'] : [60, 'min'];
  return `${Math.max(1, Math.round(seconds / size))} ${unit}`;
}
