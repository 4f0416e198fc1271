import * as z from 'zod';
import { THRESHOLD_NAMES, type ThresholdName } from '../readings/level/level';
import { METRICS, type MetricField, type Thresholds } from '../readings/metric';
import { OUTDOOR_PPM } from '../readings/room/physics';
import { canBeSensor } from '../readings/sensor-name.js';
import { alertSettings, alertShape } from './alert-settings.server';
import { embedSetting } from './embed-setting.server';
import { loadEnvFile } from './env-file.server.js';
import { DEFAULT_DATABASE_PATH, DEFAULT_PORT, expandHome, IS_PACKAGE } from './installation.server.js';
import { mqttSettings, sourceShape } from './source-settings.server';
import { supabaseSettings } from './supabase-settings.server';

const wholeNumber = (highest: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= highest, `must be at most ${highest}`);

const trueOrFalse = z.enum(['true', 'false'], 'must be true or false');

const key = z
  .string()
  .regex(/^[!-~]+$/, 'must be ASCII characters without spaces, because it is sent in a header')
  .optional();

const origins = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.every(isOrigin), 'must be origins like https://example.org, separated by commas');

const decimalNumber = (message: string, least: number, most: number) =>
  z
    .string()
    .regex(/^[-−]?\d{1,3}(\.\d{1,6})?$/, message)
    .transform((text) => Number(text.replace('−', '-')))
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
    .optional();

const threshold = (byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number like 1000 or 0.5')
    .transform(Number)
    .refine((value) => value > 0, 'must be above 0')
    .default(byDefault);

type ThresholdSetting = Uppercase<`${MetricField}_${ThresholdName}`>;

/** Returns the name of a threshold's setting, such as `CO2_GOOD`. */
const settingOf = (field: MetricField, name: ThresholdName) =>
  `${field}_${name}`.toUpperCase() as ThresholdSetting;

const LEVELLED = METRICS.flatMap(({ field, threshold: byDefault }) =>
  byDefault ? { field, byDefault } : [],
);

// Metrics without thresholds have no such settings.
const thresholdShape = Object.fromEntries(
  LEVELLED.flatMap(({ field, byDefault }) =>
    THRESHOLD_NAMES.map((name) => [settingOf(field, name), threshold(byDefault[name])]),
  ),
) as Record<ThresholdSetting, ReturnType<typeof threshold>>;

/** Every setting with its default. `setting-descriptions.ts` describes them. */
const settings = z.object({
  HOST: z.string().optional(),
  PORT: wholeNumber(65_535)
    .refine((port) => port > 0, 'must be at least 1')
    .default(DEFAULT_PORT),
  BASE_PATH: z
    .string()
    .regex(/^(\/[\w-][\w.-]*)+$/, 'must be a path like /air: it begins with a slash and ends without one')
    .default(''),
  DATABASE_PATH: z.string().default(DEFAULT_DATABASE_PATH).transform(expandHome),
  READ_KEY: key,
  WRITE_KEY: key,
  /**
   * At this rate, an import of a million readings takes four to seven minutes. A rogue client fills one to two
   * gigabytes an hour, which leaves time to notice.
   */
  POSTS_PER_MINUTE: wholeNumber(Number.MAX_SAFE_INTEGER).default(300_000),
  /** Pages, `/api/air` and notifications hold something for each sensor, so the number is bounded. */
  MAX_SENSORS: wholeNumber(1_000_000)
    .refine((sensors) => sensors > 0, 'must be at least 1')
    .default(5000),
  /** The days for which raw readings are kept besides their slots. 0 keeps all. */
  RAW_DAYS: wholeNumber(36_500)
    .refine((days) => days === 0 || days >= 30, 'must be at least 30 days, or 0 to keep all readings')
    .default(0),
  /** The number of proxies in front of the server that add the client's address to `X-Forwarded-For`. */
  TRUST_PROXY: wholeNumber(10).default(0),
  ALLOWED_ORIGINS: origins.default([]),
  ALLOW_EMBED: embedSetting.default('false'),
  /**
   * True if pages offer random and counter readings, and `/postdata` posts random ones automatically. Off in the
   * package, which is for real sensors.
   */
  RANDOM_POSTS: trueOrFalse.default(IS_PACKAGE ? 'false' : 'true'),
  ...thresholdShape,
  /** CO2 of outdoor air in PPM, which ventilation is computed from. */
  CO2_OUTDOOR: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be a number of PPM like 425')
    .transform(Number)
    .refine((value) => value >= 300 && value <= 1000, 'must be from 300 to 1000')
    .default(OUTDOOR_PPM),
  /** The sensor outdoors, whose air serves all rooms. */
  OUTDOOR_SENSOR: z
    .string()
    .transform((name) => name.trim())
    .refine(canBeSensor, 'must be the name of a sensor, such as Garden')
    .optional(),
  /** The air outdoors, where no sensor measures it. */
  OUTDOOR_TEMPERATURE: decimalNumber('must be a number of °C like 5', -60, 60),
  OUTDOOR_HUMIDITY: decimalNumber('must be a percentage like 80', 1, 100),
  ...alertShape,
  ...sourceShape,
  SUPABASE_URL: z.string().optional(),
  SUPABASE_PUBLISHABLE_KEY: z.string().optional(),
  SUPABASE_ANON_KEY: z.string().optional(),
  SUPABASE_SECRET_KEY: z.string().optional(),
});

const schema = settings.transform((values, context) => {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY, ...others } =
    values;
  const report = (setting: string, message: string) =>
    context.addIssue({ code: 'custom', path: [setting], message });
  return {
    ...without(others, [
      ...(Object.keys(alertShape) as (keyof typeof alertShape)[]),
      ...(Object.keys(thresholdShape) as ThresholdSetting[]),
      ...(['MQTT_URL', 'MQTT_TOPIC', 'MQTT_NAMES', 'HOME_ASSISTANT', 'HOME_ASSISTANT_PREFIX'] as const),
    ]),
    alerts: alertSettings(values, report),
    /** Null if `MQTT_URL` isn't set. */
    mqtt: mqttSettings(values, report),
    thresholds: thresholdSettings(values, report),
    /** Null for the embedded store. */
    supabase: supabaseSettings(
      { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY },
      report,
    ),
  };
});

export type Env = z.infer<typeof schema>;

export const SETTINGS = Object.keys(settings.shape);

/** An error whose message is printed without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/**
 * Validates settings. An empty value counts as not set.
 *
 * @throws StartupError naming every invalid setting
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const nonEmpty = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(nonEmpty);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new StartupError(`the settings are invalid:\n  ${reasons.join('\n  ')}`);
}

/** Returns the thresholds by metric. Reports a moderate threshold that isn't above the good one. */
function thresholdSettings(
  values: Record<ThresholdSetting, number>,
  report: (setting: string, message: string) => void,
): Thresholds {
  const thresholds = LEVELLED.map(({ field }) => {
    const [good, moderate] = [settingOf(field, 'good'), settingOf(field, 'moderate')];
    if (values[moderate] <= values[good]) report(moderate, `must be above ${good}, which is ${values[good]}`);
    return [field, { good: values[good], moderate: values[moderate] }];
  });
  return Object.fromEntries(thresholds);
}

function without<T extends object, K extends keyof T>(values: T, names: K[]): Omit<T, K> {
  const rest = { ...values };
  for (const name of names) delete rest[name];
  return rest;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

let env: Env | undefined;

/** Returns the settings of this process, read once from its environment and `.env`; the environment wins. */
export function getEnv(): Env {
  if (!env) {
    loadEnvFile();
    env = parseEnv(process.env);
  }
  return env;
}

/** Returns true if `ALLOWED_ORIGINS` names this origin, so that its pages may use the API. */
export function isAllowedOrigin(origin: string | null | undefined): boolean {
  return typeof origin === 'string' && getEnv().ALLOWED_ORIGINS.includes(origin);
}
