import { formatValue, formatWithUnit } from '../../readings/format/format-value';
import { CO2, type Threshold } from '../../readings/metric';
import type { VentilationAnswer } from '../../readings/room/ventilation-answer';

/** The verdict while a window is open. */
export interface AiringText {
  headline: string;
  detail: string;
  /** Null if the remaining time is unknown. */
  progress: AiringProgress | null;
}

/** The progress of an airing. */
export interface AiringProgress {
  /** 0 to 1. */
  share: number;
  /** `5 of about 9 min`. */
  text: string;
}

/** The newest CO2 value and its time. */
interface NewestCo2 {
  value: number;
  /** ISO 8601 in UTC with `Z`. */
  time: string;
}

/** CO2 counts as no longer falling within this distance of the value at which its fall ends, in PPM. */
const AT_END_PPM = 30;

/** Returns the verdict's text while a window is open, which replaces the level's text; null if no window is open. */
export function airingText(
  { airing, usual_airing_minutes: usual }: VentilationAnswer,
  newest: NewestCo2,
  threshold: Threshold,
): AiringText | null {
  if (!airing) return null;
  const { since, from_ppm, remaining_minutes: remaining, ends_at_ppm: end, is_enough } = airing;
  const minutes = Math.max(1, Math.round((Date.parse(newest.time) - Date.parse(since)) / 60_000));
  const value = formatWithUnit(CO2, newest.value, threshold);
  const fell =
    newest.value < from_ppm
      ? `CO2 fell from ${formatValue(from_ppm, threshold)} to ${value} in ${minutes} min.`
      : `CO2 is at ${value} after ${minutes} min.`;
  if (is_enough)
    return {
      headline: 'Enough: close the window',
      detail: fell,
      progress: { share: 1, text: `${minutes} min, enough` },
    };
  if (end !== null && newest.value <= end + AT_END_PPM) {
    const detail = `With so many people this window gives no more. ${fell}`;
    return { headline: `CO2 no longer falls: ${value}`, detail, progress: null };
  }
  if (end !== null) {
    const detail = `${fell} With so many people it gets to about ${formatWithUnit(CO2, end, threshold)}.`;
    return { headline: 'You are airing', detail, progress: null };
  }
  const usually = usual ? ` Here it usually takes ${formatRange(usual)} min.` : '';
  if (!remaining) return { headline: 'You are airing', detail: `${fell}${usually}`, progress: null };
  const middle = (remaining[0] + remaining[1]) / 2;
  return {
    headline: remainingText(remaining),
    detail: `You are airing: ${fell}${usually}`,
    progress: {
      share: minutes / (minutes + middle),
      text: `${minutes} of about ${Math.round(minutes + middle)} min`,
    },
  };
}

/** In minutes. A range with ends further than this from its middle is shown as a range, else as its middle. */
const MOST_ROUNDED = 2;

function remainingText([least, most]: readonly [number, number]): string {
  if (most < 1) return 'Less than a minute more of airing';
  const middle = Math.max(1, Math.round((least + most) / 2));
  if ((most - least) / 2 > MOST_ROUNDED) return `About ${formatRange([least, most])} more minutes of airing`;
  return `About ${middle} more ${middle === 1 ? 'minute' : 'minutes'} of airing`;
}

/** Returns `Airing takes 8 to 12 min here.`, or an empty text if that is unknown. */
export function airingAdvice({ usual_airing_minutes: usual }: VentilationAnswer): string {
  return usual ? `Airing takes ${formatRange(usual)} min here.` : '';
}

/** Returns `Reaches 1000 PPM in about 8 to 12 min.`, or an empty text without a forecast. */
export function forecastText({ forecast }: VentilationAnswer, subject?: string): string {
  if (!forecast) return '';
  const { threshold, minutes } = forecast;
  const reaches = subject ? `${subject} reaches` : 'Reaches';
  return `${reaches} ${threshold} ${CO2.unit} in about ${formatRange(minutes)} min.`;
}

/** Formats a range: `8 to 12`, or `8` if both ends round to it. */
export function formatRange(range: readonly [number, number], digits = 0): string {
  const [least, most] = range.map((value) => value.toFixed(digits));
  return least === most ? `${least}` : `${least} to ${most}`;
}
