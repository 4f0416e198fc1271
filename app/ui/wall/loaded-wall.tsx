import { useEffect, useState } from 'react';
import type { WallProps } from './wall';

/** The server has the wall at once. Browsers load its code only if they show one. */
let Wall = import.meta.env.SSR ? (await import('./wall')).Wall : undefined;

/** Loads the code of the wall. The page has to do this before it hydrates one. */
export async function loadWall(): Promise<void> {
  Wall ??= (await import('./wall')).Wall;
}

/** A page on a wall; nothing until its code is loaded. */
export function LoadedWall(props: WallProps) {
  const [isLoaded, setLoaded] = useState(Wall !== undefined);
  // Going forward to a wall that an earlier load of the page has opened.
  useEffect(() => {
    if (!isLoaded) loadWall().then(() => setLoaded(true));
  }, [isLoaded]);
  return Wall && <Wall {...props} />;
}
