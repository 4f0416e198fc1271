import type { ReactNode } from 'react';
import { type RoomNow, sortByName, worstFirst } from '../../readings/now/room-now';
import { useThresholds } from '../page-contexts';
import { LoadedWall } from '../wall/loaded-wall';
import { groupLabel } from './room-controls';
import { RoomTile } from './room-tile';

/** The most rooms on a wall. More wouldn't fit on a large screen. */
const MOST_ROOMS = 48;

interface RoomsWallProps {
  rooms: readonly RoomNow[];
  group: string;
  summary: string;
  notice: ReactNode;
}

/** The worst rooms, as many as fit, readable from across a room. */
export function RoomsWall({ rooms, group, summary, notice }: RoomsWallProps) {
  const thresholds = useThresholds();
  const shown = worstFirst(
    sortByName(rooms, ({ sensor }) => sensor),
    thresholds,
  ).slice(0, MOST_ROOMS);
  return (
    <LoadedWall>
      <div className="flex min-h-0 flex-col gap-2">
        <h1 className="flex flex-wrap justify-between gap-x-4 text-xl font-semibold">
          <span>{group ? groupLabel(group) : 'Rooms'}</span>
          <span className="text-muted">{summary}</span>
        </h1>
        {notice}
        {/* Rows that don't fit are cut off as a whole, since they wrap below the visible part. */}
        <ul className="grid min-h-0 flex-1 auto-rows-[9rem] grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2 overflow-hidden">
          {shown.map((room) => (
            <li key={room.sensor} className="min-w-0">
              <RoomTile room={room} isWall />
            </li>
          ))}
        </ul>
      </div>
    </LoadedWall>
  );
}
