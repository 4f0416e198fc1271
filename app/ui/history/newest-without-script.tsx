import { atBase } from '../../base-path';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { PageNumbers } from '../../readings/history/history-answer';
import type { Thresholds } from '../../readings/metric';
import { formatUtcTime } from '../local-time';
import { useMetrics } from '../page-contexts';
import { formatReading } from '../readings-table';
import { NumbersWithoutScript } from './numbers/numbers-without-script';

interface NewestWithoutScriptProps {
  readings: LiveReadings;
  /** Null without readings. */
  numbers: PageNumbers | null;
  thresholds: Thresholds;
}

/**
 * A span's numbers, the newest readings and a link to all of them, for browsers without JavaScript, in which the page's
 * own numbers would stay empty.
 */
export function NewestWithoutScript(props: NewestWithoutScriptProps) {
  // In the browser, React ignores the children of `noscript`, so the scripts don't render them.
  return <noscript>{import.meta.env.SSR && <Newest {...props} />}</noscript>;
}

// Without `LocalTime`, whose own `noscript` would end this one early.
function Newest({ readings, numbers, thresholds }: NewestWithoutScriptProps) {
  const { sensor, history } = readings;
  const metrics = useMetrics();
  return (
    <section
      aria-label="Numbers and newest readings"
      className="grid gap-2 rounded-2xl border border-line bg-surface p-4"
    >
      {numbers && <NumbersWithoutScript {...{ numbers, thresholds }} />}
      <h2 className="font-semibold text-muted">Newest readings</h2>
      <ul>
        {[...history].reverse().map((reading) => (
          <li
            key={reading.id}
          >{`${formatUtcTime(reading.created_at)}: ${formatReading(reading, metrics)}`}</li>
        ))}
      </ul>
      <a
        href={atBase(`/api/data?${new URLSearchParams({ format: 'csv', sensor })}`)}
        className="text-accent underline"
      >
        All readings as CSV
      </a>
    </section>
  );
}
