import { useEffect, useState } from 'react';

/** False on the server and for the first render, true once the page can act. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
