import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutletContext } from '@remix-run/react';
import { pageQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { hasDevicePosted } from '../ingest/device-posts.server';
import { useReadings } from '../live/browser/use-readings';
import { initialReadings } from '../live/server/initial-page.server';
import { UNNAMED } from '../readings/reading';
import { isUnknownSensor, mentionedSensor, type ShownSensor } from '../readings/sensor';
import type { RootData } from '../root';
import { currentNames, getStore } from '../store/open-store.server';
import { Card } from '../ui/card';
import { loadPatiently } from '../ui/opening/load-patiently';
import { useMetricsToPost } from '../ui/posting/metrics-to-post';
import { PostPanel } from '../ui/posting/post-panel';
import { useWriteAccess, WITH_KEY, WITHOUT_KEY, WriteKeyForm, WriteKeyNote } from '../ui/posting/write-key';
import { ReadingsPage } from '../ui/readings-page';
import { ReadingsTable } from '../ui/readings-table';
import { UnknownSensor } from '../ui/sensors/sensor-strip';
import { useTabTitle } from '../ui/tab-title';

/** The number of readings that the page lists. */
const LISTED = 10;
/** The number of readings whose metrics the page asks for: more than it lists, because a sensor may send its metrics in turn. */
const NEWEST = 40;

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: postTitle(data?.initial) }];

function postTitle(shown?: ShownSensor): string {
  return ['Post data', shown && mentionedSensor(shown), 'airboard'].filter(Boolean).join(' – ');
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { sensor: asked } = pageQuery(request);
  const page = await readPageInTurn(request, (signal) =>
    initialReadings(getStore(signal), NEWEST, currentNames(asked)),
  );
  return { ...page, hasDevicePosted: hasDevicePosted() };
}

export { loadPatiently as clientLoader };

/** Forms that post readings, and the newest readings. */
export default function PostData() {
  const { initial, problem, hasDevicePosted } = useLoaderData<typeof loader>();
  const { feed, isKeyNeeded, offersRandomPosts } = useOutletContext<RootData>();
  const readings = useReadings(initial, feed, NEWEST);
  const { history, hasLoaded } = readings;
  const { submit, ...access } = useWriteAccess(isKeyNeeded, readings.sensor);
  const metrics = useMetricsToPost(readings);
  const sensor = mentionedSensor(readings);
  // A page without a sensor takes the first one that posts.
  useTabTitle(postTitle(readings));

  return (
    <ReadingsPage heading="Post data" {...{ readings, problem }}>
      {access.isKeyUnknown && <WriteKeyNote />}
      {submit && (
        <div className={access.isKeyUnknown ? WITH_KEY : undefined}>
          <PostPanel
            submit={submit}
            sensor={sensor}
            isUnnamed={readings.sensor === UNNAMED}
            offersRandomPosts={offersRandomPosts}
            hasDevicePosted={hasDevicePosted}
            metrics={metrics}
          />
        </div>
      )}
      {access.isKeyMissing && (
        <div className={access.isKeyUnknown ? WITHOUT_KEY : undefined}>
          <WriteKeyForm
            title="Post data"
            purpose="post readings to this server"
            isRejected={access.isKeyRejected}
            consequence="Nothing was stored."
            onKey={access.rememberKey}
          />
        </div>
      )}
      <Card title="Newest readings" sensor={sensor}>
        <ReadingsTable
          readings={history.slice(-LISTED)}
          hasLoaded={hasLoaded}
          whenEmpty={isUnknownSensor(readings) ? <UnknownSensor sensor={readings.sensor} /> : undefined}
        />
      </Card>
    </ReadingsPage>
  );
}
