import { useEffect, useState } from 'react';

/** Returns false on the server and during the first render, then true: the page responds to input. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
