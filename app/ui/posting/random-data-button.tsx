import { randomReading } from '../../readings/random-reading';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** The button that posts a random reading. What was stored shows in the tiles; only a failure is told here. */
export function RandomDataButton({ post }: { post: SubmitReading }) {
  const isHydrated = useHydrated();
  const { outcome, send } = useSubmission(post);

  return (
    <div className="flex flex-wrap items-center gap-3">
      {outcome?.kind !== 'stored' && <SubmissionResult outcome={outcome} />}
      <Button disabled={!isHydrated} onClick={() => send(randomReading())}>
        POST RANDOM DATA
      </Button>
    </div>
  );
}
