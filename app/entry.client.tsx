import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
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

if (isWallAddress(location)) loadWall().then(hydrate);
else hydrate();
