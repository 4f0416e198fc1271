import * as z from 'zod';
import { isTimeZone } from '../readings/time/local-time';
import { hideSecrets, parseNotifyAddress, parseSmtpUrl } from './notify-address.server';

/** The values of `NOTIFY_ON`: states, whose ends are notified too, and notices about rooms. */
const STATES = ['moderate', 'poor', 'silent'] as const;
const ABOUT_ROOMS = ['aired', 'sensor'] as const;
const NOTIFIABLE = [...STATES, ...ABOUT_ROOMS];

export interface AlertSettings {
  /** The addresses to notify, valid and without duplicates; none without `NOTIFY_URLS`. `parseNotifyAddress` parses them. */
  urls: string[];
  /** The key of webhook signatures: `whsec_` and Base64. */
  secret: string | null;
  smtpUrl: string | null;
  /** This server's origin, for links. */
  publicUrl: string | null;
  afterMs: number;
  /** Null: learned from each sensor's readings. */
  silentAfterMs: number | null;
  on: (typeof STATES)[number][];
  /** The notices about rooms: a window can be closed, or a sensor can't be believed. */
  aboutRooms: (typeof ABOUT_ROOMS)[number][];
  /** Local times such as `22:00`. The hours may span midnight. */
  quiet: { from: string; to: string } | null;
  timeZone: string;
  /** Null: no reminders. */
  againMs: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, min: 60_000, h: HOUR_MS, d: DAY_MS };

/** Parses a duration to milliseconds. `lowest` and `highest` are written as in a setting, such as `5min`. */
const duration = (lowest: string, highest: string) =>
  z
    .string()
    .refine(
      (text) => durationMs(text) !== null,
      'must be a duration like 90s, 5min or 2h, or a number of seconds',
    )
    .transform((text) => durationMs(text) ?? 0)
    .refine((ms) => ms >= Number(durationMs(lowest)), `must be at least ${lowest}`)
    .refine((ms) => ms <= Number(durationMs(highest)), `must be at most ${highest}`);

/** Returns the milliseconds of a text such as `5min`, `1.5h` or `90` (seconds); null for any other text. */
export function durationMs(text: string): number | null {
  const [, number, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?) ?(s|min|m|h|d)?$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  return number && unitMs ? Math.round(Number(number) * unitMs) : null;
}

const isNotifiable = (name: string): name is (typeof NOTIFIABLE)[number] =>
  NOTIFIABLE.some((state) => state === name);

const notifyOn = z
  .string()
  .transform((list) => [
    ...new Set(
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ])
  .refine(
    (list) => list.length > 0 && list.every(isNotifiable),
    'must be one or more of moderate, poor, silent, aired and sensor, separated by commas; recovery is always notified',
  )
  .transform((list) => list.filter(isNotifiable));

const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d';

const quietHours = z
  .string()
  .regex(new RegExp(`^${CLOCK}-${CLOCK}$`), 'must be two times of day like 22:00-07:00')
  .transform((hours) => ({ from: hours.slice(0, 5), to: hours.slice(6) }))
  .refine(({ from, to }) => from !== to, 'must begin and end at different times');

export const alertShape = {
  NOTIFY_URLS: z
    .string()
    .transform((list) => [...new Set(list.split(/\s+/).filter(Boolean))])
    .optional(),
  NOTIFY_SECRET: z
    .string()
    .refine(
      isWebhookSecret,
      'must be whsec_ and 24 to 64 random bytes in Base64: echo whsec_$(openssl rand -base64 32)',
    )
    .optional(),
  NOTIFY_AFTER: duration('0', '12h').default(5 * 60_000),
  SILENT_AFTER: duration('1s', '7d').optional(),
  NOTIFY_ON: notifyOn.default(['poor', 'silent']),
  NOTIFY_QUIET: quietHours.optional(),
  NOTIFY_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone like Europe/Berlin')
    .optional(),
  NOTIFY_AGAIN: duration('1min', '30d').optional(),
  SMTP_URL: z.string().optional(),
  PUBLIC_URL: z
    .string()
    .transform((text) => text.replace(/\/$/, ''))
    .refine(isHttpOrigin, "must be this server's address without a path, like https://air.example.org")
    .optional(),
};

type Values = z.infer<z.ZodObject<typeof alertShape>>;

/** Returns the notification settings. Notifications of browsers use them too. Calls `report` for each invalid setting. */
export function alertSettings(
  values: Values & { BASE_PATH: string },
  report: (setting: string, message: string) => void,
): AlertSettings {
  const { NOTIFY_URLS: urls = [], SMTP_URL: smtpUrl = null } = values;
  try {
    if (smtpUrl) parseSmtpUrl(smtpUrl);
  } catch (error) {
    report('SMTP_URL', (error as Error).message);
  }
  for (const [index, url] of urls.entries()) {
    const name = `the ${ordinal(index + 1)} address (${hideSecrets(url)})`;
    try {
      const isMail = 'recipients' in parseNotifyAddress(url);
      if (isMail && !smtpUrl) report('SMTP_URL', `is missing: ${name} of NOTIFY_URLS needs a mail server`);
    } catch (error) {
      report('NOTIFY_URLS', `${name} ${(error as Error).message}`);
    }
  }
  return {
    urls,
    secret: values.NOTIFY_SECRET ?? null,
    smtpUrl,
    publicUrl: values.PUBLIC_URL ? values.PUBLIC_URL + values.BASE_PATH : null,
    afterMs: values.NOTIFY_AFTER,
    silentAfterMs: values.SILENT_AFTER ?? null,
    on: STATES.filter((state) => values.NOTIFY_ON.includes(state)),
    aboutRooms: ABOUT_ROOMS.filter((kind) => values.NOTIFY_ON.includes(kind)),
    quiet: values.NOTIFY_QUIET ?? null,
    timeZone: values.NOTIFY_TIME_ZONE ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    againMs: values.NOTIFY_AGAIN ?? null,
  };
}

function ordinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(!isTeen && ['', 'st', 'nd', 'rd'][number % 10]) || 'th'}`;
}

/** `Buffer.from` ignores characters that aren't Base64, so the decoded key is encoded again and compared. */
function isWebhookSecret(text: string): boolean {
  const key = Buffer.from(text.slice('whsec_'.length), 'base64');
  return text === `whsec_${key.toString('base64')}` && key.length >= 24 && key.length <= 64;
}

function isHttpOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
