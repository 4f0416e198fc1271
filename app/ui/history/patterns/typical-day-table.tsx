import { fitValue, formatAverage } from '../../../readings/format/format-value';
import { onlyMeasured } from '../../../readings/history/pattern-cells';
import { levelOf, type Threshold } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import { nameHour, type TypicalHour } from './typical-hours';

interface TypicalDayTableProps {
  hours: readonly TypicalHour[];
  metric: Metric;
  threshold: Threshold;
}

/** A phone has room for this many characters of a value. */
const ROOM = 7;

const HEADS = ['Hour', 'Median', 'Level', 'Middle 50 %', 'Days'];

/** The typical day in figures, for those who don't see the drawing. */
export function TypicalDayTable({ hours, metric: { name, unit }, threshold }: TypicalDayTableProps) {
  if (hours.length === 0) return null;
  const format = (value: number) => fitValue(formatAverage(value, threshold), ROOM);
  return (
    <details className="mt-1 text-sm text-muted">
      <summary className="w-fit cursor-pointer py-2">As a table</summary>
      <table className="w-full text-left">
        <caption className="sr-only">
          {name} ({unit}) of the typical day
        </caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="py-1 pr-2 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, lower, median, upper, days, isSparse, measured_seconds }) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="py-1 pr-2 font-normal whitespace-nowrap">
                {nameHour(hour)}
              </th>
              <td className="pr-2 font-semibold wrap-anywhere text-ink">{format(median)}</td>
              <td className="pr-2">{levelOf(median, threshold)}</td>
              <td className="pr-2 wrap-anywhere">
                {format(lower)} to {format(upper)}
              </td>
              <td>{isSparse ? `${days}, ${onlyMeasured(measured_seconds)}` : days}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
