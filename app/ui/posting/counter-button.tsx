import { useState } from 'react';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** The counters' first values, which the product was asked for. */
const START = { co2: 1, voc: 100 };

/** Submits the counters as numbers, then raises CO2 and lowers VOC by one. */
export function CounterButton({ submit }: { submit: SubmitReading }) {
  const isHydrated = useHydrated();
  const [counters, setCounters] = useState(START);
  const { submission, send } = useSubmission(submit);

  function handleClick(): void {
    send(counters);
    // Without waiting for the response: a second click must not send the same values.
    setCounters({ co2: counters.co2 + 1, voc: counters.voc - 1 });
  }

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <Button disabled={!isHydrated} onClick={handleClick}>
        Reading +1
      </Button>
      <p className="text-muted">
        next: CO2 <strong className="text-ink">{counters.co2}</strong>, VOC{' '}
        <strong className="text-ink">{counters.voc}</strong>
      </p>
      <SubmissionResult submission={submission} />
    </div>
  );
}
