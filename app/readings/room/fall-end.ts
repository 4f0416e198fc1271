import { type Curve, fitDecay } from './curve';

/** The CO2 to which a fall tends: that of outdoor air, plus what people add. */
export interface FallEnd {
  ppm: number;
  /** The standard error in PPM. */
  error: number;
  isAiring: boolean;
}

/** The error of a point in PPM and as a share of CO2: rooms aren't mixed perfectly. */
const POINT_ERROR_PPM = 5;
const POINT_ERROR_SHARE = 0.007;
/** The depth below the lowest point, and the step, in which ends are compared, in PPM. */
const DEPTH_PPM = 600;
const STEP_PPM = 10;
/** Fewer points say nothing about an end. */
const LEAST_POINTS = 4;

/** Compares exponential decays towards many ends with the points of a fall. Returns null for too few points. */
export function endOf(points: Curve, isAiring: boolean): FallEnd | null {
  if (points.length < LEAST_POINTS) return null;
  const lowest = Math.min(...points.map(({ co2 }) => co2));
  const error = Math.max(POINT_ERROR_PPM, POINT_ERROR_SHARE * lowest);
  const cases = Array.from({ length: DEPTH_PPM / STEP_PPM }, (_, i) => {
    const end = lowest - i * STEP_PPM;
    const decay = fitDecay(points, end);
    const misfit = points.reduce((sum, { minute, co2 }) => sum + ((decay.at(minute) - co2) / error) ** 2, 0);
    return { end, misfit };
  });
  const best = Math.min(...cases.map(({ misfit }) => misfit));
  // If even the best decay differs by more than the points' error, the curve says less about its end.
  const scale = Math.max(1, best / points.length);
  let [all, sum, squares] = [0, 0, 0];
  for (const { end, misfit } of cases) {
    const weight = Math.exp((best - misfit) / scale / 2);
    all += weight;
    sum += weight * end;
    squares += weight * end * end;
  }
  const ppm = sum / all;
  const spread = Math.sqrt(Math.max(0, squares / all - ppm * ppm));
  return { ppm: Math.round(ppm), error: Math.round(spread), isAiring };
}
