import { useLoaderData } from '@remix-run/react';
import { Card } from '../components/card';
import { ConnectionNotice } from '../components/connection-notice';
import { PostPanel } from '../components/post-panel';
import { ReadingsTable } from '../components/readings-table';
import { WriteKeyForm } from '../components/write-key-form';
import { usePostReading } from '../http/use-post-reading';
import { useFeedSettings } from '../live/use-feed-settings';
import { useReadings } from '../live/use-readings';
import { initialReadings } from '../store/initial-readings.server';
import { getStore } from '../store/store.server';

/** How many of the newest readings the page lists. */
const NEWEST = 10;

export function loader() {
  return initialReadings(getStore(), NEWEST);
}

/** Posting readings by hand, and seeing them arrive. */
export default function PostData() {
  const { initial, problem } = useLoaderData<typeof loader>();
  const { post, isKeyAsked, isKeyRefused, rememberKey } = usePostReading();
  const { history, isKnown, connection } = useReadings(initial, useFeedSettings(), NEWEST);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Post data</h1>
      {post && <PostPanel post={post} />}
      {isKeyAsked && <WriteKeyForm isRefused={isKeyRefused} onKey={rememberKey} />}
      <ConnectionNotice connection={connection} problem={problem} />
      <Card title="Newest readings">
        <ReadingsTable readings={history} isKnown={isKnown} />
      </Card>
    </div>
  );
}
