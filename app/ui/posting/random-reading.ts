import { CO2, type MetricField, VOC } from '../../readings/metric';

/**
 * Returns a random test reading of whole numbers: co2 0 to 2999, voc 0 to 599.
 *
 * @param random returns numbers in [0, 1)
 */
export function randomReading(random: () => number = Math.random): Record<MetricField, number> {
  return { co2: Math.floor(random() * CO2.randomBelow), voc: Math.floor(random() * VOC.randomBelow) };
}
