import { useEffect, useState } from 'react';
import { Switch } from '../switch';
import { useHydrated } from '../use-hydrated';
import { randomReading } from './random-reading';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** The product was asked for a random reading every 15 s (decision 0032). */
const INTERVAL_MS = 15_000;
const COUNTDOWN_STEP_MS = 1000;

interface AutoPosterProps {
  submit: SubmitReading;
  /** True if a device has posted lately, so that random readings would spoil its history. */
  hasDevicePosted: boolean;
}

/** Submits a random reading every 15 seconds until it is paused. */
export function AutoPoster({ submit, hasDevicePosted }: AutoPosterProps) {
  const isHydrated = useHydrated();
  const [isOn, setOn] = useState(true);
  const [remainingMs, setRemainingMs] = useState(INTERVAL_MS);
  const { submission, send } = useSubmission(submit);

  useEffect(() => {
    if (!isOn) return;
    // `performance.now()`, because the viewer may set the system clock.
    let nextAt = performance.now() + INTERVAL_MS;
    setRemainingMs(INTERVAL_MS);
    const posting = setInterval(() => {
      nextAt = performance.now() + INTERVAL_MS;
      setRemainingMs(INTERVAL_MS);
      send(randomReading());
    }, INTERVAL_MS);
    const countdown = setInterval(() => setRemainingMs(nextAt - performance.now()), COUNTDOWN_STEP_MS);
    return () => {
      clearInterval(posting);
      clearInterval(countdown);
    };
  }, [isOn, send]);

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <Switch
        label="Random reading every 15 s"
        isOn={isOn}
        isDisabled={!isHydrated}
        onSwitch={setOn}
        className="font-semibold"
      />
      <p className="text-muted">{isOn ? `next in ${Math.round(remainingMs / 1000)} s` : 'paused'}</p>
      {isOn && hasDevicePosted && (
        <p role="note" className="rounded-md border-l-4 border-muted bg-canvas px-3 py-2">
          A device has posted here during the last day. Random readings will mix with its history: switch them
          off to keep them out.
        </p>
      )}
      <SubmissionResult submission={submission} isSilent />
    </div>
  );
}
