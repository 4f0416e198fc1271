import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { addMissingFunctions } from './missing-functions';
import { loadWall } from './ui/wall/loaded-wall';
import { isWallAddress } from './ui/wall/wall-address';

function hydrate() {
  // `startTransition` would hydrate in slices, which takes longer for a page this small.
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
}

function start() {
  addMissingFunctions();
  if (isWallAddress(location)) loadWall().then(hydrate);
  else hydrate();
}

// Chrome before 92, Safari before 15.4 and Firefox before 90 lack it. They keep the page as the server sent it.
if ('at' in Array.prototype) start();
