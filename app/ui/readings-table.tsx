import { formatValue } from '../readings/format-value';
import { METRICS } from '../readings/metric';
import type { Reading } from '../readings/reading';
import { LocalTime } from './local-time';

/**
 * Readings in a table, the newest first.
 *
 * @param isKnown false while nobody could be asked: the page does not claim that there are none
 */
export function ReadingsTable({ readings, hasLoaded }: { readings: readonly Reading[]; hasLoaded: boolean }) {
  if (readings.length === 0) {
    return <p className="text-muted">{hasLoaded ? 'No readings yet.' : 'The readings can’t be read yet.'}</p>;
  }
  return (
    <table className="w-full table-fixed text-left">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 pr-3 font-normal">
            Time
          </th>
          {METRICS.map(({ field, name, unit }) => (
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
              <LocalTime at={reading.created_at} />
            </td>
            {METRICS.map(({ field }) => (
              <td key={field} className="py-1.5 pl-3 text-right font-semibold wrap-anywhere">
                {formatValue(reading[field])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
