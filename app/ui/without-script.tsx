import type { Reading } from '../readings/reading';
import { formatReading } from './format-reading';
import { formatUtcTime } from './local-time';

/**
 * Shown in browsers without JavaScript: the newest reading, and what needs JavaScript.
 *
 * @param last the reading that may describe the air now
 */
export function WithoutScript({ last }: { last: Reading | null }) {
  // React ignores the children of `noscript` in the browser, so the scripts leave them out.
  return <noscript>{import.meta.env.SSR && <NewestReading reading={last} />}</noscript>;
}

function NewestReading({ reading }: { reading: Reading | null }) {
  return (
    <p className="rounded-2xl border border-line bg-surface p-4">
      {reading && (
        <>
          Newest reading
          {reading.sensor && (
            <>
              {' of '}
              <bdi>{reading.sensor}</bdi>
            </>
          )}
          : <strong>{formatReading(reading)}</strong>
          {` at ${formatUtcTime(reading.created_at)}. `}
        </>
      )}
      Live updates, the chart and posting need JavaScript.
    </p>
  );
}
