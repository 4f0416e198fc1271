import type { ReactNode } from 'react';
import type { LiveReadings } from '../../../app/live/browser/use-readings';
import { ReadingsContext, ThresholdsContext } from '../../../app/ui/page-contexts';
import { THRESHOLDS } from './readings';

/** Renders components as on a page that shows these readings, with the default thresholds. */
export function OnPage({ readings, children }: { readings: LiveReadings; children: ReactNode }) {
  return (
    <ThresholdsContext.Provider value={THRESHOLDS}>
      <ReadingsContext.Provider value={readings}>{children}</ReadingsContext.Provider>
    </ThresholdsContext.Provider>
  );
}
