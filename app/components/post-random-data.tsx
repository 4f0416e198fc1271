import { useState } from 'react';
import type { PostOutcome, PostReading } from '../readings/post-outcome';
import { randomReading } from '../readings/reading';
import { Button } from './button';
import { PostResult } from './post-result';
import { useHydrated } from './use-hydrated';

/** The button that posts a random reading. What was stored shows in the tiles; only a failure is told here. */
export function PostRandomData({ post }: { post: PostReading }) {
  const isHydrated = useHydrated();
  const [outcome, setOutcome] = useState<PostOutcome | null>(null);

  return (
    <div className="flex flex-wrap items-center gap-3">
      {outcome?.kind !== 'stored' && <PostResult outcome={outcome} />}
      <Button disabled={!isHydrated} onClick={async () => setOutcome(await post(randomReading()))}>
        POST RANDOM DATA
      </Button>
    </div>
  );
}
