import { createContext, useContext, useMemo } from 'react';
import type { LiveReadings } from '../live/browser/use-readings';
import type { Correction } from '../readings/correction';
import { METRICS, type Metric, type Thresholds } from '../readings/metric';
import type { ShownSensor } from '../readings/sensor';
import { silentAfterMsFor, thresholdsFor } from '../readings/sensor-settings';

export const ThresholdsContext = createContext<Thresholds | null>(null);

/** `SILENT_AFTER` in milliseconds; null to learn it from the readings. */
export const SilentAfterContext = createContext<number | null>(null);

/** The name of the sensor that is outdoors; null if none is. */
export const OutdoorSensorContext = createContext<string | null>(null);

/** All metrics, in the viewer's units. */
export const MetricsContext = createContext<readonly Metric[]>(METRICS);

export const useMetrics = () => useContext(MetricsContext);

export const ReadingsContext = createContext<LiveReadings | null>(null);

/** Returns the thresholds of the server, for sensors without their own. */
export function useServerThresholds(): Thresholds {
  return provided(useContext(ThresholdsContext));
}

/** Returns the thresholds of the page's sensor, which may have its own. */
export function useThresholds(): Thresholds {
  return useThresholdsOf(useContext(ReadingsContext));
}

/** Returns the thresholds of the shown sensor. */
export function useThresholdsOf(shown: ShownSensor | null): Thresholds {
  const server = useServerThresholds();
  const own = shownSummary(shown)?.thresholds;
  return useMemo(() => thresholdsFor(server, own), [server, own]);
}

/** Returns `SILENT_AFTER` of the shown sensor in milliseconds; null to learn it from the readings. */
export function useSilentAfterMs(shown: ShownSensor): number | null {
  return silentAfterMsFor(useContext(SilentAfterContext), shownSummary(shown));
}

/** Returns the corrections of the page's sensor. */
export function useCorrections(): readonly Correction[] {
  return shownSummary(useContext(ReadingsContext))?.corrections ?? [];
}

const shownSummary = (shown: ShownSensor | null) => shown?.sensors.find(({ name }) => name === shown.sensor);

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
