import type { ReactNode } from 'react';
import { formatValue } from '../readings/format/format-value';
import { type ByMetric, METRICS, NOT_MEASURED, shownMetrics } from '../readings/metric';
import type { Reading } from '../readings/reading';
import { LocalTime } from './local-time';

interface ReadingsTableProps {
  readings: readonly Reading[];
  /** False until the store has been read: it isn't known whether it has readings. */
  hasLoaded: boolean;
  whenEmpty?: ReactNode;
}

export function ReadingsTable({ readings, hasLoaded, whenEmpty = 'No readings yet.' }: ReadingsTableProps) {
  if (readings.length === 0) {
    return <p className="text-muted">{hasLoaded ? whenEmpty : "Can't load readings yet."}</p>;
  }
  const metrics = shownMetrics(readings);
  return (
    <table className="w-full table-fixed text-left">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 pr-3 font-normal">
            Time
          </th>
          {metrics.map(({ field, name, unit }) => (
            <th key={field} scope="col" className="py-1 pl-3 text-right font-normal">
              {name} ({unit})
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...readings].reverse().map((reading) => (
          <tr key={reading.id} className="border-t border-line">
            <td className="py-1.5 pr-3">
              <LocalTime time={reading.created_at} />
            </td>
            {metrics.map(({ field }) => (
              <td key={field} className="py-1.5 pl-3 text-right font-semibold wrap-anywhere">
                <Value value={reading[field]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value = null }: { value?: number | null }) {
  if (value !== null) return formatValue(value);
  return (
    <span title={NOT_MEASURED}>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{NOT_MEASURED}</span>
    </span>
  );
}

/** Formats the values of a reading: `CO2 862 PPM, VOC 120 PPB`, without a metric that isn't measured. */
export function formatReading(reading: ByMetric<number | null>): string {
  return METRICS.flatMap(({ field, name, unit }) => {
    const value = reading[field];
    return value === null || value === undefined ? [] : `${name} ${formatValue(value)} ${unit}`;
  }).join(', ');
}
