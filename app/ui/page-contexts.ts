import { createContext, useContext } from 'react';
import type { LiveReadings } from '../live/browser/use-readings';
import { METRICS, type Metric, type Thresholds } from '../readings/metric';

export const ThresholdsContext = createContext<Thresholds | null>(null);

/** `SILENT_AFTER` in milliseconds; null to learn it from the readings. */
export const SilentAfterContext = createContext<number | null>(null);

/** The name of the sensor that is outdoors; null if none is. */
export const OutdoorSensorContext = createContext<string | null>(null);

/** All metrics, in the viewer's units. */
export const MetricsContext = createContext<readonly Metric[]>(METRICS);

export const useMetrics = () => useContext(MetricsContext);

export const ReadingsContext = createContext<LiveReadings | null>(null);

export function useThresholds(): Thresholds {
  return provided(useContext(ThresholdsContext));
}

export function useShownReadings(): LiveReadings {
  return provided(useContext(ReadingsContext));
}

function provided<T>(value: T | null): T {
  if (value === null)
    throw new Error(
      'There are no readings or thresholds here. Render this inside a page (root.tsx, readings-page.tsx).',
    );
  return value;
}

/** The nonce for a document's inline scripts. Undefined in the browser, which hides nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
