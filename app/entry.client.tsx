import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { belowBase } from './base-path';
import { addMissingFunctions } from './missing-functions';
import { loadWall } from './ui/wall/loaded-wall';
import { isWallAddress } from './ui/wall/wall-address';

async function start() {
  addMissingFunctions();
  const { pathname, search } = location;
  const isWall = isWallAddress({ pathname: belowBase(pathname), search });
  await Promise.all([isWall && loadWall(), decodeLoaderData()]);
  // `startTransition` would hydrate in slices, which takes longer for a page this small.
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
}

/**
 * Resolves when `RemixBrowser` can render. Until then it throws the promise of its data (as Suspense asks), before it
 * calls a hook. A tap or a key at that time makes React render at once, and fail (error 345).
 */
async function decodeLoaderData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}

// Chrome before 92, Safari before 15.4 and Firefox before 90 lack it. They keep the page as the server sent it.
if ('at' in Array.prototype) start();
