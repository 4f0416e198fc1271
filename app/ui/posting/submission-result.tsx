import { formatValue } from '../../readings/format-value';
import { METRICS } from '../../readings/metric';
import { LocalTime } from '../local-time';
import { Notice } from '../notice';
import type { SubmissionState } from './use-submission';

/** Tells what became of a post. Reasons that concern a field stand beside that field, not here. */
export function SubmissionResult({ outcome }: { outcome: SubmissionState | null }) {
  if (!outcome) return null;
  if (outcome.kind === 'sending') return <p role="status">Sending…</p>;
  if (outcome.kind !== 'stored') return <Notice>{outcome.detail}</Notice>;
  const { reading } = outcome;
  const values = METRICS.map(({ field, name, unit }) => `${name} ${formatValue(reading[field])} ${unit}`);
  return (
    <p role="status" className="text-rise">
      Stored as number {reading.id}: {values.join(', ')} at <LocalTime at={reading.created_at} />
    </p>
  );
}
