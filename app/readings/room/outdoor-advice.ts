import { formatWithUnit } from '../format/format-value';
import { type Level, levelOf } from '../level/level';
import { type Metric, metricOf, type Thresholds } from '../metric';
import { sensorLabel } from '../sensor';
import { formatWholeMinutes } from '../time/durations';

/** Outdoor air changes slowly: readings up to this age describe it. */
export const OUTDOOR_CURRENT_MS = 3_600_000;

/** PM2.5 outdoors from which even poor air indoors is better. US EPA, air quality index of 2024: "very unhealthy". */
const SMOKE = 125.5;

const PM25 = metricOf('pm25');
const FILTER = PM25.advice;
const CO = metricOf('co');

/** What is known of outdoor air. */
export interface KnownOutdoors {
  sensor: string;
  /** The age of its last reading; null if it has none. */
  ageMs: number | null;
  /** PM2.5 in µg/m³; null if it isn't measured. */
  pm25: number | null;
}

export interface IndoorAir {
  level: Level;
  /** The metric that causes the level. */
  metric: Metric;
  pm25: number | null;
  /** True while a window is open. */
  isAiring?: boolean;
}

/** What outdoor air means for an open window. */
export interface OutdoorAdvice {
  /** Replaces the headline to open a window; null if that is still right. */
  headline: string | null;
  text: string;
  /** True if the text says more than the metric's own advice, which may be wrong. */
  replacesAdvice: boolean;
}

/**
 * Returns what outdoor air changes about the advice to open a window; null if nothing. If it is bad too, the text says what comes
 * first: moderate air waits, poor air is exchanged in a few minutes, unless there is smoke outdoors. Carbon monoxide is worse than
 * any air outdoors.
 */
export function outdoorAdvice(
  { level, metric, pm25: indoors, isAiring = false }: IndoorAir,
  { sensor, ageMs, pm25 }: KnownOutdoors,
  { pm25: threshold }: Thresholds,
): OutdoorAdvice | null {
  const known = { headline: null, replacesAdvice: true };
  const closed = { headline: 'Keep the window closed', replacesAdvice: true };
  if (ageMs === null || ageMs > OUTDOOR_CURRENT_MS) {
    if (level === 'good') return null;
    const last =
      ageMs === null ? 'has no recent readings' : `last reading is ${formatWholeMinutes(ageMs)} old`;
    const text = `Outdoor air is unknown: ${sensorLabel(sensor)}${ageMs === null ? ' ' : "'s "}${last}.`;
    return { ...known, replacesAdvice: false, text };
  }
  if (pm25 === null || !threshold || (metric === CO && level !== 'good')) return null;
  const is = `PM2.5 outdoors is ${formatWithUnit(PM25, pm25, threshold)}`;
  const isWorseOutdoors = indoors === null || pm25 > indoors;
  const isBad = isWorseOutdoors && levelOf(pm25, threshold) === 'poor';
  if (isAiring && isBad && (level !== 'poor' || pm25 >= SMOKE))
    return { ...known, text: `${is}: close the window soon.` };
  if (level === 'good') return isBad ? { ...known, text: `Keep the window closed: ${is}.` } : null;
  if (metric.advice === FILTER) {
    if (isBad || (metric.field === 'pm25' && isWorseOutdoors))
      return { ...closed, text: `${is}. Filter the air.` };
    const isClean = levelOf(pm25, threshold) === 'good';
    return isClean ? { ...known, text: `Filter the air, or open a window: ${is}.` } : null;
  }
  if (!isBad) return null;
  if (pm25 >= SMOKE)
    return { ...closed, text: `${is}, which is worse than this air. Filter the air, or leave the room.` };
  if (level === 'moderate') return { ...closed, text: `${is}. Air only if ${metric.name} gets poor.` };
  return {
    ...{ headline: 'Air for 5 minutes', replacesAdvice: true },
    text: `First air for 5 minutes, then keep the window closed: ${is}.`,
  };
}
