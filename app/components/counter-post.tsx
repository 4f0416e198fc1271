import { useState } from 'react';
import type { PostReading } from '../readings/post-outcome';
import { Button } from './button';
import { PostResult } from './post-result';
import { useHydrated } from './use-hydrated';
import { usePost } from './use-post';

/** Counter start and step: specification, section 9. */
const START = { co2: 1, voc: 100 };

/** Sends the counters as numbers, then raises CO2 and lowers VOC by one. */
export function CounterPost({ post }: { post: PostReading }) {
  const isHydrated = useHydrated();
  const [counters, setCounters] = useState(START);
  const { outcome, send } = usePost(post);

  function press(): void {
    // The counters move with the press, not with the answer: a second press must not send the same again.
    send(counters);
    setCounters({ co2: counters.co2 + 1, voc: counters.voc - 1 });
  }

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <Button disabled={!isHydrated} onClick={press}>
        Reading +1
      </Button>
      <p className="text-muted">
        next: CO2 <strong className="text-ink">{counters.co2}</strong>, VOC{' '}
        <strong className="text-ink">{counters.voc}</strong>
      </p>
      <PostResult outcome={outcome} />
    </div>
  );
}
