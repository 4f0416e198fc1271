import type { LiveReadings } from '../../live/browser/use-readings';
import { formatUtcTime } from '../local-time';
import { useMetrics } from '../page-contexts';
import { formatReading } from '../readings-table';

/**
 * The newest readings and a link to all of them, for browsers without JavaScript, in which a span's numbers would stay
 * empty.
 */
export function NewestWithoutScript({ readings }: { readings: LiveReadings }) {
  // In the browser, React ignores the children of `noscript`, so the scripts don't render them.
  return <noscript>{import.meta.env.SSR && <Newest readings={readings} />}</noscript>;
}

// Without `LocalTime`, whose own `noscript` would end this one early.
function Newest({ readings: { sensor, history } }: { readings: LiveReadings }) {
  const metrics = useMetrics();
  return (
    <section
      aria-label="Newest readings"
      className="grid gap-2 rounded-2xl border border-line bg-surface p-4"
    >
      <h2 className="font-semibold text-muted">Newest readings</h2>
      <ul>
        {[...history].reverse().map((reading) => (
          <li
            key={reading.id}
          >{`${formatUtcTime(reading.created_at)}: ${formatReading(reading, metrics)}`}</li>
        ))}
      </ul>
      <a
        href={`/api/data?${new URLSearchParams({ format: 'csv', sensor })}`}
        className="text-accent underline"
      >
        All readings as CSV
      </a>
    </section>
  );
}
