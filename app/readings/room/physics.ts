/**
 * The mass balance of CO2 in a fully mixed room: V dC/dt = E - Q (C - Cout). Concentrations are in PPM, times in hours, and air
 * changes A = Q/V in 1/h. Source of the balance and its solutions: S. Batterman, "Review and Extension of CO2-Based Methods to
 * Determine Ventilation Rates with Application to School Classrooms", Int. J. Environ. Res. Public Health 2017, 14(2):145.
 */

/** The default CO2 of outdoor air, in PPM. NOAA Global Monitoring Laboratory: 425 in 2024. */
export const OUTDOOR_PPM = 425;

/**
 * The difference between exhaled and inhaled air, in PPM of CO2: S. N. Rudnick and D. K. Milton, Indoor Air 2003,
 * 13(3):237-245.
 */
const EXHALED_PPM = 38_000;

/**
 * Returns the air changes an hour for a fall of CO2 from `from` to `to`, both above `outdoor`. Exact without people.
 */
export function airChanges(from: number, to: number, hours: number, outdoor: number): number {
  return Math.log((from - outdoor) / (to - outdoor)) / hours;
}

/** Returns the hours until CO2 has fallen from `now` to `target`, both above `outdoor`; 0 if it is there already. */
export function hoursToFall(now: number, target: number, airChanges: number, outdoor: number): number {
  return Math.max(0, Math.log((now - outdoor) / (target - outdoor)) / airChanges);
}

/**
 * Returns the hours until CO2 has risen from `now` to `threshold` if people and ventilation stay the same; null if it
 * never reaches it.
 *
 * @param slope dC/dt in PPM an hour
 */
export function hoursToReach(
  threshold: number,
  { now, slope, airChanges, outdoor }: { now: number; slope: number; airChanges: number; outdoor: number },
): number | null {
  const source = slope + airChanges * (now - outdoor);
  const steady = outdoor + source / airChanges;
  return steady <= threshold ? null : -Math.log((steady - threshold) / (steady - now)) / airChanges;
}

/** Returns the fraction of inhaled air that somebody has breathed out before. */
export function rebreathedFraction(co2: number, outdoor: number): number {
  return Math.max(0, co2 - outdoor) / EXHALED_PPM;
}
