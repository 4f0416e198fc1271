import { Link, useLocation } from '@remix-run/react';
import type { MetricField } from '../../readings/metric';
import { UNNAMED } from '../../readings/reading';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { withSensor } from '../sensors/sensor-address';
import { SubmissionResult, type SubmitReading, useSubmission } from './submission';

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

/**
 * Returns a random test reading of whole numbers: co2 0 to 2999, voc 0 to 599.
 *
 * @param random returns numbers in [0, 1)
 */
export function randomReading(random: () => number = Math.random): Record<MetricField, number> {
  return { co2: Math.floor(random() * 3000), voc: Math.floor(random() * 600) };
}
