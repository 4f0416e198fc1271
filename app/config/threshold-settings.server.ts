import * as z from 'zod';

const limit = (byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number like 1000 or 0.5')
    .transform(Number)
    .refine((value) => value > 0, 'must be above 0')
    .default(byDefault);

/** The limits of the levels in PPM and PPB, with the defaults of the specification, section 9. */
export const thresholdShape = {
  CO2_GOOD: limit(1000),
  CO2_MODERATE: limit(2000),
  VOC_GOOD: limit(400),
  VOC_MODERATE: limit(800),
};

type Limits = z.infer<z.ZodObject<typeof thresholdShape>>;

/**
 * Returns the limits by metric.
 *
 * @param report called for each setting that leaves no room for the moderate level
 */
export function thresholdSettings(
  { CO2_GOOD, CO2_MODERATE, VOC_GOOD, VOC_MODERATE }: Limits,
  report: (setting: string, message: string) => void,
) {
  if (CO2_MODERATE <= CO2_GOOD) report('CO2_MODERATE', `must be above CO2_GOOD, which is ${CO2_GOOD}`);
  if (VOC_MODERATE <= VOC_GOOD) report('VOC_MODERATE', `must be above VOC_GOOD, which is ${VOC_GOOD}`);
  return {
    co2: { good: CO2_GOOD, moderate: CO2_MODERATE },
    voc: { good: VOC_GOOD, moderate: VOC_MODERATE },
  };
}
