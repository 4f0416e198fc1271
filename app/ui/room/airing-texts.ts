import { formatValue, formatWithUnit } from '../../readings/format/format-value';
import { CO2, type Threshold } from '../../readings/metric';
import type { VentilationAnswer } from '../../readings/room/ventilation-answer';

/** The verdict while a window is open. */
export interface AiringText {
  headline: string;
  detail: string;
  /** Null if it isn't known how long it takes. */
  progress: AiringProgress | null;
}

/** How much of an airing is over. */
export interface AiringProgress {
  /** 0 to 1. */
  share: number;
  /** `5 of about 9 min`. */
  text: string;
}

/** The newest value of CO2 and its time. */
interface NewestCo2 {
  value: number;
  /** ISO 8601 in UTC with `Z`. */
  time: string;
}

/** Returns what the verdict says instead of the level while a window is open; null if none is. */
export function airingText(
  { airing, usual_airing_minutes: usual }: VentilationAnswer,
  newest: NewestCo2,
  threshold: Threshold,
): AiringText | null {
  if (!airing) return null;
  const { since, from_ppm, remaining_minutes: remaining, is_enough } = airing;
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

/** Beyond this distance of its ends from its middle, in minutes, a range is said as such. */
const MOST_ROUNDED = 2;

function remainingText([least, most]: readonly [number, number]): string {
  if (most < 1) return 'Less than a minute more';
  const middle = Math.max(1, Math.round((least + most) / 2));
  if ((most - least) / 2 > MOST_ROUNDED) return `About ${formatRange([least, most])} more minutes`;
  return `About ${middle} more ${middle === 1 ? 'minute' : 'minutes'}`;
}

/** Says how long airing takes here, for air that isn't good; empty if that isn't known. */
export function airingAdvice({ usual_airing_minutes: usual }: VentilationAnswer): string {
  return usual ? `Airing takes ${formatRange(usual)} min here.` : '';
}

/** Says when CO2 reaches a threshold; empty without a forecast. */
export function forecastText({ forecast }: VentilationAnswer, subject?: string): string {
  if (!forecast) return '';
  const { threshold, minutes } = forecast;
  const reaches = subject ? `${subject} reaches` : 'Reaches';
  return `${reaches} ${threshold} ${CO2.unit} in about ${formatRange(minutes)} min.`;
}

/** Formats a range: `8 to 12`, or `8` if that is all of it. */
export function formatRange(range: readonly [number, number], digits = 0): string {
  const [least, most] = range.map((value) => value.toFixed(digits));
  return least === most ? `${least}` : `${least} to ${most}`;
}
