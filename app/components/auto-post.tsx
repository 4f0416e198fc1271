import { useEffect, useState } from 'react';
import type { PostOutcome, PostReading } from '../readings/post-outcome';
import { randomReading } from '../readings/reading';
import { PostResult } from './post-result';
import { useHydrated } from './use-hydrated';

/** Specification, section 9. */
const EVERY_MS = 15_000;
const TICK_MS = 1000;

/** Posts a random reading every 15 seconds, until it is paused. */
export function AutoPost({ post }: { post: PostReading }) {
  const isHydrated = useHydrated();
  const [isOn, setOn] = useState(true);
  const [leftMs, setLeftMs] = useState(EVERY_MS);
  const [outcome, setOutcome] = useState<PostOutcome | null>(null);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout>;
    // Not the time of day: that one may be set while the page is open.
    let next = performance.now() + EVERY_MS;
    function tick(): void {
      const now = performance.now();
      if (now >= next) {
        post(randomReading()).then(setOutcome);
        // From when it was due, so that late ticks do not add up.
        next += EVERY_MS;
        // After a sleep from now on: there is one post, not one for every 15 s of it.
        if (next <= now) next = now + EVERY_MS;
      }
      setLeftMs(next - now);
      timer = setTimeout(tick, (next - now) % TICK_MS || TICK_MS);
    }
    tick();
    return () => clearTimeout(timer);
  }, [isOn, post]);

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
      <p className="text-muted">{isOn ? `next in ${Math.ceil(leftMs / 1000)} s` : 'paused'}</p>
      <PostResult outcome={outcome} />
    </div>
  );
}
