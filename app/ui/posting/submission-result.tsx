import { formatValue } from '../../readings/format-value';
import { METRICS } from '../../readings/metric';
import { LocalTime } from '../local-time';
import { Notice } from '../notice';
import type { SubmissionState } from './use-submission';

/** The result of a submission. Errors of single fields are shown next to those fields, not here. */
export function SubmissionResult({ submission }: { submission: SubmissionState | null }) {
  if (!submission) return null;
  if (submission.kind === 'sending') return <p role="status">Sending…</p>;
  if (submission.kind !== 'stored') return <Notice>{submission.detail}</Notice>;
  const { reading } = submission;
  const values = METRICS.map(({ field, name, unit }) => `${name} ${formatValue(reading[field])} ${unit}`);
  return (
    <p role="status" className="text-rise">
      Stored as reading {reading.id}: {values.join(', ')} at <LocalTime time={reading.created_at} />
    </p>
  );
}
