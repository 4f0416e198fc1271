import { outdoorSensor } from '../config/outdoor-sensor.server';
import { readAll, stepReader, wholeSteps } from '../history/read-steps.server';
import type { MetricField } from '../readings/metric';
import { mergeTotals, type RollUp, roundedAverageOf } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../readings/roll-up/slot';
import type { OutdoorMoisture } from '../readings/room/moisture';
import { OUTDOOR_CURRENT_MS } from '../readings/room/outdoor-advice';
import type { OutdoorsAnswer } from '../readings/room/ventilation-answer';
import { DAY_S, HOUR_S } from '../readings/time/durations';
import type { RoomSource } from './room-minutes.server';

/** CO2 outdoors changes by the hour, and a sensor's error by the month: the floor of a day is the average of so many days before. */
const FLOOR_DAYS = 7;
const FLOOR_STEP_PPM = 5;
/** Another average isn't that of outdoor air: the sensor is wrong, or indoors. */
const LEAST_FLOOR_PPM = 380;
const MOST_FLOOR_PPM = 600;

/** Returns true if CO2 may be that of outdoor air. Else `CO2_OUTDOOR` counts. */
export const canBeOutdoors = (ppm: number) => ppm >= LEAST_FLOOR_PPM && ppm <= MOST_FLOOR_PPM;

/**
 * Returns a function that returns the CO2 of outdoor air on a UTC day, from the days before it: that of the outdoor sensor, or
 * `CO2_OUTDOOR`. Days and times are in seconds since 1970.
 */
export async function outdoorFloors(
  { store, settings }: RoomSource,
  from: number,
  to: number,
): Promise<(day: number) => number> {
  const sensor = outdoorSensor(settings);
  if (sensor === null) return () => settings.CO2_OUTDOOR;
  const read = stepReader(store, sensor, settings.thresholds);
  const days = await readAll(read, { from: from - FLOOR_DAYS * DAY_S, to, step: DAY_S });
  return (day) => {
    const before = days.filter(({ start }) => start >= day - FLOOR_DAYS * DAY_S && start < day);
    const average = averageIn(before, 'co2');
    return average !== null && canBeOutdoors(average)
      ? Math.round(average / FLOOR_STEP_PPM) * FLOOR_STEP_PPM
      : settings.CO2_OUTDOOR;
  };
}

/** The air outdoors at a time, and in the hours before it. */
export interface Outdoors {
  answer: OutdoorsAnswer | null;
  /** From the sensor, or from settings. */
  moisture: OutdoorMoisture;
  /** Returns the average temperature of an hour that starts at this time in seconds since 1970; null if unknown. */
  temperatureIn(hour: number): number | null;
}

/** Values are averages of this time before the last reading. */
const AVERAGE_S = 900;

/** Reads the air outdoors at a full minute, in seconds since 1970. Temperatures and humidity may be those of settings. */
export async function readOutdoors({ store, settings }: RoomSource, to: number): Promise<Outdoors> {
  const sensor = outdoorSensor(settings);
  const { OUTDOOR_TEMPERATURE = null, OUTDOOR_HUMIDITY = null } = settings;
  const set = { temperature: OUTDOOR_TEMPERATURE, humidity: OUTDOOR_HUMIDITY };
  if (sensor === null) return { answer: null, moisture: set, temperatureIn: () => OUTDOOR_TEMPERATURE };
  const read = stepReader(store, sensor, settings.thresholds);
  const steps = [
    ...wholeSteps(to - DAY_S - HOUR_S, to - HOUR_S, [SLOT_SECONDS, 60]),
    { from: to - HOUR_S, to, step: 60 },
  ];
  const pages = await Promise.all(steps.map((each) => readAll(read, each)));
  const rollUps = pages.flat();
  const last = rollUps.at(-1) ?? (await lastDay(read, to));
  const isCurrent = last !== undefined && (to - last.start) * 1000 <= OUTDOOR_CURRENT_MS;
  const latest = isCurrent ? rollUps.filter(({ start }) => start > last.start - AVERAGE_S) : [];
  const measured = { temperature: averageIn(latest, 'temperature'), humidity: averageIn(latest, 'humidity') };
  const isMeasured = measured.temperature !== null && measured.humidity !== null;
  return {
    answer: {
      ...{ sensor, at: last ? new Date(last.start * 1000).toISOString() : null, is_current: isCurrent },
      ...{ co2: averageIn(latest, 'co2'), pm25: averageIn(latest, 'pm25'), ...measured },
    },
    moisture: isMeasured ? measured : set,
    temperatureIn: (hour) =>
      averageIn(
        rollUps.filter(({ start }) => start >= hour && start < hour + HOUR_S),
        'temperature',
      ) ?? OUTDOOR_TEMPERATURE,
  };
}

/** Returns the last day with readings among the `FLOOR_DAYS` before. */
async function lastDay(read: ReturnType<typeof stepReader>, to: number): Promise<RollUp | undefined> {
  const from = Math.floor(to / HOUR_S) * HOUR_S - FLOOR_DAYS * DAY_S;
  const hours = await readAll(read, { from, to: Math.floor(to / HOUR_S) * HOUR_S, step: HOUR_S });
  return hours.at(-1);
}

function averageIn(rollUps: readonly RollUp[], field: MetricField): number | null {
  const totals = rollUps.reduce((sum: RollUp['co2'], rollUp) => mergeTotals(sum, rollUp[field]), null);
  return totals && totals.values > 0 ? Number(roundedAverageOf(totals).toFixed(2)) : null;
}
