import type { PostReading } from '../readings/post-outcome';
import { AutoPost } from './auto-post';
import { Card } from './card';
import { CounterPost } from './counter-post';
import { TypedPost } from './typed-post';
import { useNow } from './use-now';

/** The 'Post data' panel: every way to send a reading, each telling what became of its last one. */
export function PostPanel({ post }: { post: PostReading }) {
  return (
    <Card title="Post data" aside={<LocalClock />}>
      <div className="grid gap-6">
        <TypedPost post={post} />
        <CounterPost post={post} />
        <AutoPost post={post} />
      </div>
    </Card>
  );
}

/** The viewer's local time, refreshed every second. */
function LocalClock() {
  const now = useNow();
  return (
    <p className="text-lg font-semibold">
      <span className="sr-only">Local time: </span>
      <span data-testid="clock">{now === null ? '\u00a0' : new Date(now).toLocaleTimeString()}</span>
    </p>
  );
}
