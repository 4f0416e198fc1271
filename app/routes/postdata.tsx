import { useLoaderData } from '@remix-run/react';
import { useFeedSettings } from '../live/browser/use-feed-settings';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-readings.server';
import { getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { ConnectionNotice } from '../ui/connection-notice';
import { PostPanel } from '../ui/posting/post-panel';
import { useWriteAccess } from '../ui/posting/use-write-access';
import { WriteKeyForm } from '../ui/posting/write-key-form';
import { ReadingsTable } from '../ui/readings-table';

/** How many of the newest readings the page lists. */
const NEWEST = 10;

export function loader() {
  return initialReadings(getStore(), NEWEST);
}

/** Posting readings by hand, and seeing them arrive. */
export default function PostData() {
  const { initial, problem } = useLoaderData<typeof loader>();
  const { post, isKeyAsked, isKeyRefused, rememberKey } = useWriteAccess();
  const { history, hasLoaded, connection } = useReadings(initial, useFeedSettings(), NEWEST);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Post data</h1>
      {post && <PostPanel post={post} />}
      {isKeyAsked && <WriteKeyForm isRefused={isKeyRefused} onKey={rememberKey} />}
      <ConnectionNotice connection={connection} problem={problem} />
      <Card title="Newest readings">
        <ReadingsTable readings={history} hasLoaded={hasLoaded} />
      </Card>
    </div>
  );
}
