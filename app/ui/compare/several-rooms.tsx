import type { InitialReadings } from '../../live/initial-readings';
import type { ComparedRoom } from '../../readings/history/compared-room';
import { sensorLabel } from '../../readings/sensor';
import { NumbersWithoutScript } from '../history/numbers/numbers-without-script';
import { useServerThresholds } from '../page-contexts';
import { RoomsForm } from '../sensors/add-rooms';
import { LOADING_FAILED, useLoaded } from '../use-loaded';
import type { ComparePageProps } from './compare-page';

const load = () => import('./compare-page').then(({ ComparePage }) => ComparePage);

/** A page that compares several rooms. Its code is loaded only then. */
export function SeveralRooms(props: ComparePageProps) {
  const { Component: Page, hasFailed } = useLoaded(load);
  if (Page) return <Page {...props} />;
  return (
    <>
      <noscript>{import.meta.env.SSR && <RoomsWithoutScript {...props} />}</noscript>
      <p className="grid h-80 place-content-center text-muted noscript:hidden">
        {hasFailed ? LOADING_FAILED : 'Loading readings…'}
      </p>
    </>
  );
}

interface RoomsWithoutScriptProps {
  initial: InitialReadings;
  rooms: readonly ComparedRoom[];
}

/** The numbers of each room, and the choice of rooms, for browsers without JavaScript. */
function RoomsWithoutScript({ initial, rooms }: RoomsWithoutScriptProps) {
  const thresholds = useServerThresholds();
  return (
    <div className="grid gap-4">
      {rooms.map(({ sensor, numbers }) => (
        <section key={sensor} className="grid gap-2 rounded-2xl border border-line bg-surface p-4">
          <h2 className="font-semibold">
            <bdi>{sensorLabel(sensor)}</bdi>
          </h2>
          {numbers ? <NumbersWithoutScript {...{ numbers, thresholds }} /> : <p>no readings</p>}
        </section>
      ))}
      <RoomsForm sensors={initial.sensors} shown={rooms.map(({ sensor }) => sensor)} />
    </div>
  );
}
