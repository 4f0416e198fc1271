import type { AirPoint, CurrentDryAiring } from './dry-airing';
import { absoluteHumidity, dewPoint, errorOf, humidityAtWall, type MoistAir } from './moist-air';
import type { MoistureAnswer } from './ventilation-answer';

/** What is known of outdoor air, from a sensor or from settings. */
export interface OutdoorMoisture {
  temperature: number | null;
  humidity: number | null;
}

/** An hour of a room's air, and the outdoor temperature in it; null if unknown. */
export interface MoistHour extends MoistAir {
  outdoorTemperature: number | null;
}

/** Air older than this isn't current. */
const CURRENT_MINUTES = 15;
/** Mould grows from this humidity at a wall on, without liquid water (DIN 4108-2:2013, 6.2). */
const MOULD_HUMIDITY = 80;
/** So many hours of the last day make a risk. DIN-Fachbericht 4108-8:2010 has 12 hours a day on five days for growth. */
const MOULD_HOURS = 6;
/** Fewer hours say nothing about a day. */
const LEAST_HOURS = 12;

/**
 * Returns what a hygrometer says about a room; null without current values.
 *
 * @param points the room's last minutes, up to `now` in minutes since 1970
 * @param hours the hours of the last day that have values
 * @param airing the airing that goes on; null also where CO2 decides
 */
export function moistureOf(
  {
    points,
    hours,
    airing,
  }: { points: readonly AirPoint[]; hours: readonly MoistHour[]; airing: CurrentDryAiring | null },
  outdoors: OutdoorMoisture,
  now: number,
): MoistureAnswer | null {
  const last = points.at(-1);
  if (!last || now - last.minute > CURRENT_MINUTES) return null;
  const dew = dewPoint(last);
  const outdoorGrams = gramsOf(outdoors);
  return {
    absolute_humidity: rounded(absoluteHumidity(last), 1),
    absolute_humidity_error: rounded(errorOf(absoluteHumidity, last), 1),
    dew_point: dew === null ? null : rounded(dew, 1),
    outdoor_absolute_humidity: outdoorGrams === null ? null : rounded(outdoorGrams, 1),
    airing_will: effectOf(last, outdoors),
    mould: mouldOf(hours),
    airing: airing && {
      since: new Date(airing.from * 60_000).toISOString(),
      from_g_m3: rounded(airing.fromGrams, 1),
      to_g_m3: rounded(airing.toGrams, 1),
      is_enough: airing.isEnough,
    },
  };
}

/** Returns what airing does to a room's humidity; null if the difference is within the errors of both sensors, or unknown. */
function effectOf(room: MoistAir, { temperature, humidity }: OutdoorMoisture): 'dry' | 'moisten' | null {
  if (temperature === null || humidity === null) return null;
  const outdoors = { temperature, humidity };
  const difference = absoluteHumidity(room) - absoluteHumidity(outdoors);
  const error = Math.hypot(errorOf(absoluteHumidity, room), errorOf(absoluteHumidity, outdoors));
  if (Math.abs(difference) <= error) return null;
  return difference > 0 ? 'dry' : 'moisten';
}

function gramsOf({ temperature, humidity }: OutdoorMoisture): number | null {
  return temperature === null || humidity === null ? null : absoluteHumidity({ temperature, humidity });
}

function mouldOf(hours: readonly MoistHour[]): MoistureAnswer['mould'] {
  const walls = hours.flatMap(({ outdoorTemperature, ...air }) => {
    if (outdoorTemperature === null) return [];
    const atWall = (each: MoistAir) => humidityAtWall(each, outdoorTemperature);
    return [{ humidity: atWall(air), error: errorOf(atWall, air) }];
  });
  const last = walls.at(-1);
  if (!last || walls.length < LEAST_HOURS) return null;
  const above = walls.filter(({ humidity }) => humidity >= MOULD_HUMIDITY).length;
  const surely = walls.filter(({ humidity, error }) => humidity - error >= MOULD_HUMIDITY).length;
  return {
    wall_humidity: Math.round(last.humidity),
    wall_humidity_error: Math.max(1, Math.round(last.error)),
    hours: above,
    of_hours: walls.length,
    risk: surely >= MOULD_HOURS ? 'likely' : above >= MOULD_HOURS ? 'possible' : 'none',
  };
}

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals));
