import type { PostReading } from '../readings/post-outcome';
import { randomReading } from '../readings/reading';
import { Button } from './button';
import { PostResult } from './post-result';
import { useHydrated } from './use-hydrated';
import { usePost } from './use-post';

/** The button that posts a random reading. What was stored shows in the tiles; only a failure is told here. */
export function PostRandomData({ post }: { post: PostReading }) {
  const isHydrated = useHydrated();
  const { outcome, send } = usePost(post);
  const isStored = outcome !== null && outcome !== 'sending' && outcome.kind === 'stored';

  return (
    <div className="flex flex-wrap items-center gap-3">
      {!isStored && <PostResult outcome={outcome} />}
      <Button disabled={!isHydrated} onClick={() => send(randomReading())}>
        POST RANDOM DATA
      </Button>
    </div>
  );
}
