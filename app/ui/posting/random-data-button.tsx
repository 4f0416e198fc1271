import { randomReading } from '../../readings/random-reading';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** A button that submits a random reading. It shows failures only: a stored reading appears in the tiles. */
export function RandomDataButton({ submit }: { submit: SubmitReading }) {
  const isHydrated = useHydrated();
  const { submission, send } = useSubmission(submit);

  return (
    <div className="flex flex-wrap items-center gap-3 noscript:hidden">
      {submission?.kind !== 'stored' && <SubmissionResult submission={submission} />}
      <Button disabled={!isHydrated} onClick={() => send(randomReading())}>
        POST RANDOM DATA
      </Button>
    </div>
  );
}
