import { RemixBrowser } from '@remix-run/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadWall } from './ui/wall/loaded-wall';
import { isWallAddress } from './ui/wall/wall-address';

function hydrate() {
  // Not in `startTransition`: hydrating a page this small in slices takes longer than at once.
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
}

if (isWallAddress(location)) loadWall().then(hydrate);
else hydrate();
