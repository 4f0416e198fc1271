import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutletContext } from '@remix-run/react';
import { askedSensor } from '../http/asked-sensor.server';
import { hasDevicePosted } from '../ingest/device-posts.server';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-page.server';
import type { RootData } from '../root';
import { getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { ConnectionNotice } from '../ui/connection-notice';
import { PostPanel } from '../ui/posting/post-panel';
import { useWriteAccess } from '../ui/posting/use-write-access';
import { WriteKeyForm } from '../ui/posting/write-key-form';
import { ReadingsTable } from '../ui/readings-table';
import { WithoutScript } from '../ui/without-script';

/** How many of the newest readings the page lists. */
const NEWEST = 10;

export const meta: MetaFunction = () => [{ title: 'Post data – airboard' }];

export async function loader({ request }: LoaderFunctionArgs) {
  const page = await initialReadings(getStore(), NEWEST, askedSensor(request));
  return { ...page, hasDevicePosted: hasDevicePosted() };
}

/** Forms that post readings, and the newest readings. */
export default function PostData() {
  const { initial, problem, hasDevicePosted } = useLoaderData<typeof loader>();
  const { feed, isKeyNeeded, offersRandomPosts } = useOutletContext<RootData>();
  const { submit, isKeyMissing, isKeyRejected, rememberKey } = useWriteAccess(isKeyNeeded);
  const { history, hasLoaded, last, connection } = useReadings(initial, feed, NEWEST);

  return (
    <div className="grid gap-4">
      <h1 className="sr-only">Post data</h1>
      <ConnectionNotice connection={connection} problem={problem} />
      <WithoutScript last={last} />
      {submit && (
        <PostPanel submit={submit} offersRandomPosts={offersRandomPosts} hasDevicePosted={hasDevicePosted} />
      )}
      {isKeyMissing && <WriteKeyForm isRejected={isKeyRejected} onKey={rememberKey} />}
      <Card title="Newest readings">
        <ReadingsTable readings={history} hasLoaded={hasLoaded} />
      </Card>
    </div>
  );
}
