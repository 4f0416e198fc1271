import { type Env, SETTINGS } from './env.server';
import { hideSecrets } from './notify-address.server';
import { isPublicKey } from './supabase-settings.server';

/** A random key of this length is too long to guess. */
const SAFE_KEY_LENGTH = 16;
/**
 * The number of guesses that a small board can answer in a second. The wait after wrong keys doesn't lower it, because
 * the right key is accepted during the wait.
 */
const GUESSES_PER_SECOND = 3000;

/** Returns warnings about names that have no effect, and about settings that are valid but risky. */
export function warningsAbout({ READ_KEY, WRITE_KEY, supabase, alerts, mqtt }: Env): string[] {
  const warnings = misspelledSettings().map(
    ({ name, meant }) => `${name} is not a setting and has no effect. Did you mean ${meant}?`,
  );
  warnings.push(...alerts.urls.flatMap(kindWarning));
  if (alerts.urls.length === 0) warnings.push(...uselessAlertSettings(process.env));
  if (!mqtt && process.env.HOME_ASSISTANT === 'true')
    warnings.push('HOME_ASSISTANT has no effect: set MQTT_URL to the broker that Home Assistant uses');
  if (!WRITE_KEY) warnings.push('no WRITE_KEY is set: anyone who reaches this server can write');
  for (const [name, key] of Object.entries({ WRITE_KEY, READ_KEY })) {
    if (!key || key.length >= SAFE_KEY_LENGTH) continue;
    warnings.push(
      `${name} has ${count(key.length, 'character')}: trying all such keys takes ${guessingTime(key)} ` +
        `at ${GUESSES_PER_SECOND} a second, and a word takes far less. Use ${SAFE_KEY_LENGTH} random characters or more`,
    );
  }
  if (WRITE_KEY && supabase && supabase.serverKey === supabase.publicKey) {
    warnings.push(
      'WRITE_KEY guards this server alone: with the public Supabase key, which is in every page, anyone can ' +
        'write to the project. docs/supabase.md says how SUPABASE_SECRET_KEY prevents it',
    );
  }
  if (READ_KEY && supabase) {
    warnings.push(
      'READ_KEY guards this server alone: every page contains the public Supabase key, with which anyone who has ' +
        'seen a page can read the project from then on (docs/supabase.md)',
    );
  }
  if (supabase && !isPublicKey(supabase.publicKey)) {
    warnings.push(
      'the public Supabase key is neither sb_publishable_… nor a JWT of the role anon. It is in every page: ' +
        "make sure that it isn't secret",
    );
  }
  return warnings;
}

/** Returns the variables of this process whose names differ from a setting's only in case, underscores or one letter. */
export function misspelledSettings(names = Object.keys(process.env)): { name: string; meant: string }[] {
  return names
    .filter((name) => !SETTINGS.includes(name))
    .flatMap((name) => {
      const meant = SETTINGS.find((setting) => isSimilar(letters(name), letters(setting)));
      return meant ? [{ name, meant }] : [];
    });
}

const letters = (name: string) => name.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** Returns true if at most one letter was added, removed, replaced or swapped with the next one. */
function isSimilar(name: string, setting: string): boolean {
  const shorter = Math.min(name.length, setting.length);
  let start = 0;
  while (start < shorter && name[start] === setting[start]) start += 1;
  let end = 0;
  while (end < shorter - start && name.at(-1 - end) === setting.at(-1 - end)) end += 1;
  const typed = name.slice(start, name.length - end);
  const meant = setting.slice(start, setting.length - end);
  const isSwapped = meant.length === 2 && typed === `${meant[1]}${meant[0]}`;
  return isSwapped || Math.max(typed.length, meant.length) <= 1;
}

/** Services that don't accept airboard's own JSON, with the scheme to use for each. */
const SERVICES: [address: RegExp, name: string, scheme: string][] = [
  [/^https?:\/\/hooks\.slack\.com\//i, 'Slack', 'slack+https://'],
  [/^https?:\/\/(\w+\.)?discord(app)?\.com\/api\//i, 'Discord', 'discord+https://'],
  [/^https?:\/\/ntfy\.sh\//i, 'ntfy', 'ntfys://'],
  [/^https?:\/\/api\.telegram\.org\//i, 'Telegram', 'telegram://'],
  [/^https?:\/\/api\.pushover\.net\//i, 'Pushover', 'pushover://'],
];

function kindWarning(url: string): string[] {
  return SERVICES.filter(([address]) => address.test(url)).map(
    ([, name, scheme]) =>
      `${hideSecrets(url)} of NOTIFY_URLS gets the JSON of a webhook. For ${name}, begin it with ${scheme}`,
  );
}

/** The settings that need `NOTIFY_URLS`. The others hold for the notifications of browsers too. */
const FOR_ADDRESSES = ['NOTIFY_SECRET', 'NOTIFY_QUIET', 'NOTIFY_TIME_ZONE', 'NOTIFY_AGAIN', 'SMTP_URL'];

function uselessAlertSettings(environment: NodeJS.ProcessEnv): string[] {
  const names = FOR_ADDRESSES.filter((name) => environment[name]);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? 'has' : 'have';
  return [`${names.join(', ')} ${verb} no effect: nobody is notified without NOTIFY_URLS`];
}

/** Returns the time needed to try every key of this length that has the same kinds of characters. */
function guessingTime(key: string): string {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 32],
  ];
  const characters = kinds.reduce((sum, [kind, size]) => sum + (kind.test(key) ? size : 0), 0);
  const seconds = characters ** key.length / GUESSES_PER_SECOND;
  if (seconds < 1) return 'less than a second';
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
  return seconds > 1000 * YEAR_S ? 'more than 1000 years' : count(Math.round(seconds / length), unit);
}

const YEAR_S = 365 * 86_400;

/** Units of time with their seconds. */
const UNITS: [string, number][] = [
  ['year', YEAR_S],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;
