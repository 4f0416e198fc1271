import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { type ShouldRevalidateFunctionArgs, useLoaderData, useOutletContext } from '@remix-run/react';
import { roomsQuery } from '../http/page-query.server';
import { readPageInTurn } from '../http/read-gate.server';
import { noReadings } from '../live/server/initial-page.server';
import { countText, type RoomNow } from '../readings/now/room-now';
import { UNNAMED } from '../readings/reading';
import { presentRooms } from '../room/present-rooms.server';
import type { RootData } from '../root';
import { getStore } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';
import { loadPatiently } from '../ui/opening/load-patiently';
import { RoomsPage } from '../ui/rooms/rooms-page';

export const meta: MetaFunction = () => [{ title: 'Rooms – airboard' }];

/** The document contains this many rooms, the worst ones. The page fetches all of them. */
const FIRST_ROOMS = 48;

export async function loader({ request }: LoaderFunctionArgs) {
  const { sensor, group, metric } = roomsQuery(request);
  return readPageInTurn(request, async (signal) => {
    const store = getStore(signal);
    const { initial, problem } = await noReadings(store, sensor);
    // The page shows no sensor alone, so it keeps the one that other pages remember.
    const shown = sensor.chosen ?? sensor.remembered ?? UNNAMED;
    const page = { initial: { ...initial, sensor: shown, isChosen: true }, problem };
    return { ...page, ...(await firstRooms(store, { group, metric }, initial.serverTime)) };
  });
}

/** The rooms of the document, and the number of all rooms in each state, as text; null if the store can't be read. */
interface FirstRooms {
  rooms: RoomNow[];
  counted: string | null;
}

async function firstRooms(...asked: Parameters<typeof presentRooms>): Promise<FirstRooms> {
  try {
    const rooms = await presentRooms(...asked);
    return { rooms: rooms.slice(0, FIRST_ROOMS), counted: countText(rooms) };
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { rooms: [], counted: null };
  }
}

export { loadPatiently as clientLoader };

/** Doesn't reload for another group, metric or span, because the page fetches rooms itself. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate;

export default function Rooms() {
  const data = useLoaderData<typeof loader>();
  const { feed } = useOutletContext<RootData>();
  return <RoomsPage {...data} feed={feed} />;
}
