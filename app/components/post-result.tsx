import type { PostOutcome } from '../readings/post-outcome';
import { METRICS } from '../readings/reading';
import { formatValue } from '../readings/value';
import { LocalTime } from './local-time';
import { Notice } from './notice';

/** Tells what became of a post. Reasons that concern a field stand beside that field, not here. */
export function PostResult({ outcome }: { outcome: PostOutcome | 'sending' | null }) {
  if (!outcome) return null;
  if (outcome === 'sending') return <p role="status">Sending…</p>;
  if (outcome.kind !== 'stored') return <Notice>{outcome.detail}</Notice>;
  const { reading } = outcome;
  const values = METRICS.map(({ field, name, unit }) => `${name} ${formatValue(reading[field])} ${unit}`);
  return (
    <p role="status" className="text-rise">
      Stored as number {reading.id}: {values.join(', ')} at <LocalTime at={reading.created_at} />
    </p>
  );
}
