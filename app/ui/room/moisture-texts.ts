import { metricOf } from '../../readings/metric';
import type { MoistureAnswer } from '../../readings/room/ventilation-answer';
import type { AiringText } from './airing-texts';

export const formatGrams = (grams: number) => `${grams} g/m³`;

/** Returns the verdict's text while the humidity shows an open window; null if it shows none. */
export function dryAiringText({ airing }: MoistureAnswer, now: string): AiringText | null {
  if (!airing) return null;
  const { since, from_g_m3: from, to_g_m3: to, is_enough: isEnough } = airing;
  const minutes = Math.max(1, Math.round((Date.parse(now) - Date.parse(since)) / 60_000));
  const fell = `from ${from} to ${formatGrams(to)} in ${minutes} min.`;
  return isEnough
    ? {
        headline: 'Enough: close the window',
        detail: `The air gets no drier: ${fell}`,
        progress: { share: 1, text: `${minutes} min, enough` },
      }
    : { headline: 'You are airing', detail: `The air gets drier: ${fell}`, progress: null };
}

const { band } = metricOf('humidity');

/**
 * Returns sentences about mould or uncomfortable humidity and what airing does to it; empty if there is nothing to say.
 *
 * @param humidity the newest relative humidity in percent
 * @param isBadOutdoors true if the window stays closed for another reason
 */
export function moistureAdvice(
  { mould, airing_will: effect, airing }: MoistureAnswer,
  humidity: number | null,
  { isBadOutdoors }: { isBadOutdoors: boolean },
): string {
  const hasRisk = mould?.risk === 'likely';
  const warning = hasRisk
    ? `Cold walls had over 80 % humidity for ${mould.hours} of ${mould.of_hours} hours: mould may grow.`
    : '';
  const isHumid = hasRisk || (humidity !== null && humidity >= (band?.to ?? 100));
  const isDry = humidity !== null && humidity < (band?.from ?? 0);
  if (!effect || airing || !(isHumid || isDry)) return warning;
  const isHarm = isHumid === (effect === 'moisten');
  const outcome = `Airing ${isBadOutdoors ? 'would' : 'will'} ${effect} this room.`;
  return [warning, outcome, isHarm && isHumid ? 'Keep it closed for now.' : ''].filter(Boolean).join(' ');
}
