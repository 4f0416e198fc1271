import { Link, useLocation } from '@remix-run/react';
import { UNNAMED } from '../../readings/reading';
import { Button } from '../button';
import { withSensor } from '../sensors/sensor-address';
import { useHydrated } from '../use-hydrated';
import { randomReading } from './random-reading';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

interface RandomDataButtonProps {
  submit: SubmitReading;
  className?: string;
}

/**
 * A button that submits a random reading. It shows failures only: a stored reading appears in the tiles, and is read
 * out.
 */
export function RandomDataButton({ submit, className = '' }: RandomDataButtonProps) {
  const isHydrated = useHydrated();
  const { submission, send } = useSubmission(submit);

  return (
    <div className={`flex flex-wrap items-center gap-x-3 noscript:hidden ${className}`}>
      <SubmissionResult submission={submission} isHidden />
      <Button look="quiet" disabled={!isHydrated} onClick={() => send(randomReading())}>
        POST RANDOM DATA
      </Button>
    </div>
  );
}

/** Replaces the button on the page of a named sensor, whose history random readings would spoil. */
export function RandomElsewhere() {
  const { search } = useLocation();
  return (
    <p className="text-sm text-muted max-[24rem]:text-xs noscript:hidden">
      Random data is for the{' '}
      <Link to={withSensor(search, UNNAMED)} className="underline">
        unnamed sensor
      </Link>{' '}
      only.
    </p>
  );
}
