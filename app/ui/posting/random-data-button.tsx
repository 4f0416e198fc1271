import { Link, useLocation } from '@remix-run/react';
import type { CoreField } from '../../readings/metric';
import { UNNAMED } from '../../readings/reading';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { withSensor } from '../sensors/sensor-address';
import { SubmissionResult, type SubmitReading, useSubmission } from './submission';

/** Submits a random reading. Only failures are visible. A stored reading appears in the tiles, and screen readers announce it. */
export function RandomDataButton({ submit, className = '' }: { submit: SubmitReading; className?: string }) {
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

/** Replaces the button on a named sensor's page, because random readings would spoil the sensor's history. */
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

/** Returns random whole numbers: `co2` from 0 to 2999, `voc` from 0 to 599. `random` returns numbers in [0, 1). */
export function randomReading(random: () => number = Math.random): Record<CoreField, number> {
  return { co2: Math.floor(random() * 3000), voc: Math.floor(random() * 600) };
}
