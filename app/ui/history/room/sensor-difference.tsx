import { useEffect, useId, useState } from 'react';
import { askServer } from '../../../live/browser/ask-server';
import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { quartilesOf } from '../../../readings/quantiles';
import type { SensorSummary } from '../../../readings/reading';
import { sensorLabel } from '../../../readings/sensor';
import { DAY_S, HOUR_S } from '../../../readings/time/durations';
import type { Span } from '../../../readings/time/history-span';
import { historyAddress, stepOf, stepsOf } from '../load/fetch-history';

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
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
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
function useDifference(sensor: string, other: string | null, { from, to }: Span): string {
  const [known, setKnown] = useState<{ of: string; text: string } | null>(null);
  const of = JSON.stringify([sensor, other, from, to]);
  useEffect(() => {
    if (other === null) return;
    const own = new AbortController();
    const { signal } = own;
    const steps = stepsOf({ from, to }, stepOf({ from, to }, POINTS));
    const ask = async (name: string) =>
      (await askServer<HistoryAnswer>(historyAddress(steps, name), { signal })).value;
    Promise.all([ask(sensor), ask(other)]).then(
      ([a, b]) => setKnown({ of, text: differenceText([sensorLabel(sensor), a], [sensorLabel(other), b]) }),
      ({ message }: Error) => signal.aborted || setKnown({ of, text: `Can't compare them. ${message}` }),
    );
    return () => own.abort();
  }, [sensor, other, from, to, of]);
  if (other === null) return '';
  return known?.of === of ? known.text : 'Comparing…';
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
