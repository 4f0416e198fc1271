import { useState } from 'react';
import type { Reading } from '../../../readings/reading';

/** Readings of any sensor that have just arrived; null if they aren't known. */
export type Arrived = readonly Reading[] | null;

/** Tells parts of a page that readings have arrived. */
export interface Arrivals {
  publish(arrived: Arrived): void;
  /** Returns a function that ends the calls. */
  subscribe(listener: (arrived: Arrived) => void): () => void;
}

/** Creates the arrivals of a page, which stay the same. */
export function useArrivals(): Arrivals {
  return useState(createArrivals)[0];
}

function createArrivals(): Arrivals {
  const listeners = new Set<(arrived: Arrived) => void>();
  return {
    publish(arrived) {
      for (const listener of listeners) listener(arrived);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
