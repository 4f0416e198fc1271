import { type ComponentType, useEffect, useState } from 'react';

/** A component whose code is loaded on demand. `Component` is undefined until then. */
interface Loaded<P> {
  Component?: ComponentType<P>;
  hasFailed?: true;
}

/**
 * Loads a component's code on demand, so that pages without it don't load it.
 *
 * @param load imports the component; undefined to load nothing yet. Must stay the same function.
 */
export function useLoaded<P>(load: (() => Promise<ComponentType<P>>) | undefined): Loaded<P> {
  const [loaded, setLoaded] = useState<Loaded<P>>({});
  useEffect(() => {
    load?.().then(
      (Component) => setLoaded({ Component }),
      () => setLoaded({ hasFailed: true }),
    );
  }, [load]);
  return loaded;
}

export const LOADING_FAILED = "The chart can't be loaded. Reload this page.";
