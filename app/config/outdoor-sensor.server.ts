import { type Env, getEnv } from './env.server';
import { singleton } from './singleton.server';

const marked = singleton('outdoor-sensor', (): { sensor: string | null } => ({ sensor: null }));

/** Takes note of the sensor whose place is outdoors by its own settings; null if none is. */
export function noteOutdoorSensor(sensor: string | null): void {
  marked.sensor = sensor;
}

/**
 * Returns the name of the sensor that is outdoors, by `OUTDOOR_SENSOR` or else by its own settings; null if none is. Everything
 * that treats it differently asks here.
 */
export function outdoorSensor({ OUTDOOR_SENSOR }: Pick<Env, 'OUTDOOR_SENSOR'> = getEnv()): string | null {
  return OUTDOOR_SENSOR ?? marked.sensor;
}
