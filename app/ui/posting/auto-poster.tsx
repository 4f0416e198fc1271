import { useEffect, useState } from 'react';
import { randomReading } from '../../readings/random-reading';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** Specification, section 9. */
const EVERY_MS = 15_000;
const TICK_MS = 1000;

/** Posts a random reading every 15 seconds, until it is paused. */
export function AutoPoster({ post }: { post: SubmitReading }) {
  const isHydrated = useHydrated();
  const [isOn, setOn] = useState(true);
  const [leftMs, setLeftMs] = useState(EVERY_MS);
  const { outcome, send } = useSubmission(post);

  useEffect(() => {
    if (!isOn) return;
    // The clock that is never set: the viewer's may be, and posts keep their beat by a timer of their own.
    let next = performance.now() + EVERY_MS;
    setLeftMs(EVERY_MS);
    const posting = setInterval(() => {
      next = performance.now() + EVERY_MS;
      setLeftMs(EVERY_MS);
      send(randomReading());
    }, EVERY_MS);
    const ticking = setInterval(() => setLeftMs(next - performance.now()), TICK_MS);
    return () => {
      clearInterval(posting);
      clearInterval(ticking);
    };
  }, [isOn, send]);

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <label className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
        <input
          type="checkbox"
          role="switch"
          className="size-5 accent-accent"
          checked={isOn}
          aria-checked={isOn}
          disabled={!isHydrated}
          onChange={(event) => setOn(event.target.checked)}
        />
        Random reading every 15 s
      </label>
      <p className="text-muted">{isOn ? `next in ${Math.round(leftMs / 1000)} s` : 'paused'}</p>
      <SubmissionResult outcome={outcome} />
    </div>
  );
}
