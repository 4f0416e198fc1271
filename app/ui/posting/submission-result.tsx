import type { Reading } from '../../readings/reading';
import { formatReading } from '../format-reading';
import { LocalTime } from '../local-time';
import { Notice } from '../notice';
import type { SubmissionState } from './use-submission';

interface SubmissionResultProps {
  submission: SubmissionState | null;
  /** True for automatic submissions: screen readers don't read out their results. */
  isSilent?: boolean;
  /** True where a stored reading shows elsewhere on the page: only screen readers are told. */
  isHidden?: boolean;
}

/**
 * The result of a submission, read out once. Errors of single fields are shown next to those fields, not here. The
 * status element is there from the start: screen readers miss one that appears together with its text.
 */
export function SubmissionResult({ submission, isSilent = false, isHidden = false }: SubmissionResultProps) {
  return (
    <>
      <p role={isSilent ? undefined : 'status'} className={isHidden ? 'sr-only' : 'text-rise'}>
        {submission?.kind === 'stored' && <StoredReading reading={submission.reading} />}
      </p>
      {submission?.kind === 'sending' && <p>Sending…</p>}
      {(submission?.kind === 'rejected' || submission?.kind === 'unknown') && (
        <Notice isSilent={isSilent}>{submission.detail}</Notice>
      )}
    </>
  );
}

function StoredReading({ reading }: { reading: Reading }) {
  return (
    <>
      Stored as reading {reading.id}
      {reading.sensor && (
        <>
          {' of '}
          <bdi>{reading.sensor}</bdi>
        </>
      )}
      : {formatReading(reading)} at <LocalTime time={reading.created_at} />
    </>
  );
}
