import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RoomNow } from '../../readings/now/room-now';
import { RoomTile, TILE_HEIGHT } from './room-tile';

/** Tiles that are drawn together. Divisible by each number of columns, so that no row is split. */
const CHUNK = 12;

interface TileListProps {
  rooms: readonly RoomNow[];
  /** True for the first group, whose first tiles the document contains. */
  isFirst: boolean;
}

/** The tiles of a group. Only tiles near the visible part of the page are drawn; the others keep their space. */
export function TileList({ rooms, isFirst }: TileListProps) {
  const chunks = Array.from({ length: Math.ceil(rooms.length / CHUNK) }, (_, i) =>
    rooms.slice(i * CHUNK, (i + 1) * CHUNK),
  );
  return (
    <div className="grid gap-2">
      {chunks.map((chunk, i) => (
        // A chunk is a place in the list, whatever rooms are there.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <Chunk key={i} rooms={chunk} isFirst={isFirst && i < 4} />
      ))}
    </div>
  );
}

interface ChunkProps {
  rooms: readonly RoomNow[];
  /** True if the chunk is drawn until the browser knows what is visible. */
  isFirst: boolean;
}

const Chunk = memo(
  function Chunk({ rooms, isFirst }: ChunkProps) {
    const list = useRef<HTMLUListElement>(null);
    const isNear = useIsNear(list, isFirst);
    return (
      <ul
        ref={list}
        data-drawn={isNear || undefined}
        className="grid grid-cols-2 gap-2 md:grid-cols-3 lg:grid-cols-4"
      >
        {rooms.map((room) => (
          <li key={room.sensor} className={`min-w-0 ${TILE_HEIGHT}`}>
            {isNear ? <RoomTile room={room} /> : null}
          </li>
        ))}
      </ul>
    );
  },
  (before, after) =>
    before.isFirst === after.isFirst &&
    before.rooms.length === after.rooms.length &&
    before.rooms.every((room, i) => room === after.rooms[i]),
);

/** Returns true while an element is near the visible part of the page, and while the page is printed. */
function useIsNear(element: RefObject<HTMLElement>, isFirst: boolean): boolean {
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    if (!element.current) return;
    let isShown = false;
    const observer = new IntersectionObserver(
      (entries) => {
        isShown = entries.at(-1)?.isIntersecting ?? false;
        setNear(isShown);
      },
      { rootMargin: '400px' },
    );
    observer.observe(element.current);
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('beforeprint', () => flushSync(() => setNear(true)), { signal });
    window.addEventListener('afterprint', () => setNear(isShown), { signal });
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, [element]);
  return isNear;
}
