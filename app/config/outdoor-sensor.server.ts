import { type Env, getEnv } from './env.server';

/** Returns the name of the sensor that is outdoors; null if none is. Everything that treats it differently asks here. */
export function outdoorSensor({ OUTDOOR_SENSOR }: Pick<Env, 'OUTDOOR_SENSOR'> = getEnv()): string | null {
  return OUTDOOR_SENSOR ?? null;
}
