import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect } from 'react';
import { withoutWall } from './wall-address';

/** Goes back to the page's usual look when the viewer leaves the full screen or presses Escape. */
export function useLeaveWall(): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const leave = () => {
      // Escape may do both.
      listeners.abort();
      if (state?.isWallOpenedHere) navigate(-1);
      else navigate({ search: withoutWall(search) }, { replace: true });
    };
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && leave(), { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { signal });
    return () => listeners.abort();
  }, [navigate, search, state]);

  useEffect(
    () => () => {
      // The viewer went back. In development React unmounts a page once more while it is shown.
      const hasLeft = withoutWall(location.search) === location.search;
      if (hasLeft && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    },
    [],
  );
}
