import { formatValue } from '../readings/format-value';
import { METRICS } from '../readings/metric';
import type { Reading } from '../readings/reading';
import { formatUtcTime } from './local-time';

/**
 * Shown in browsers without JavaScript: the newest reading, and what needs JavaScript.
 *
 * @param readings oldest first
 */
export function WithoutScript({ readings }: { readings: readonly Reading[] }) {
  const newest = readings.at(-1);
  return (
    <noscript>
      <p className="rounded-xl border border-line bg-surface p-4">
        {newest &&
          METRICS.map(({ field, name, unit }) => (
            <span key={field}>
              {name} <strong>{formatValue(newest[field])}</strong> {unit},{' '}
            </span>
          ))}
        {newest && `measured at ${formatUtcTime(newest.created_at)}. `}
        Live updates, the chart and posting need JavaScript.
      </p>
    </noscript>
  );
}
