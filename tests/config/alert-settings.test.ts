import { expect, test } from 'vitest';
import { parseEnv, StartupError } from '../../app/config/env.server';
import { parseSmtpUrl } from '../../app/config/notify-address.server';

const NOTIFY_URLS = 'https://hooks.example.org/air';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const alertsWith = (source: Record<string, string>) => parseEnv({ NOTIFY_URLS, ...source }).alerts;

/** Returns the message that stops the start. */
function refusalOf(source: Record<string, string>): string {
  try {
    parseEnv({ NOTIFY_URLS, ...source });
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
}

test('have no address without NOTIFY_URLS, and hold for the notifications of browsers', () => {
  expect(parseEnv({ NOTIFY_ON: 'moderate', NOTIFY_AFTER: '90' }).alerts).toMatchObject({
    urls: [],
    on: ['moderate'],
    afterMs: 90_000,
  });
  expect(parseEnv({ NOTIFY_URLS: '  ' }).alerts.urls).toEqual([]);
});

test('have the documented defaults', () => {
  expect(alertsWith({})).toEqual({
    urls: [NOTIFY_URLS],
    secret: null,
    smtpUrl: null,
    publicUrl: null,
    afterMs: 300_000,
    silentAfterMs: null,
    on: ['poor', 'silent'],
    aboutRooms: [],
    quiet: null,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    againMs: null,
  });
});

test('accept every setting', () => {
  const settings = {
    NOTIFY_URLS: 'ntfy://host/topic\n  https://a.example.org ntfy://host/topic',
    NOTIFY_SECRET: SECRET,
    NOTIFY_AFTER: '90',
    SILENT_AFTER: '1.5h',
    NOTIFY_ON: 'moderate, Aired, Poor',
    NOTIFY_QUIET: '22:00-07:00',
    NOTIFY_TIME_ZONE: 'Europe/Berlin',
    NOTIFY_AGAIN: '1d',
    SMTP_URL: 'smtps://ann%40example.org:secret@mail.example.org',
    PUBLIC_URL: 'https://air.example.org/',
  };
  expect(alertsWith(settings)).toEqual({
    urls: ['ntfy://host/topic', 'https://a.example.org'],
    secret: SECRET,
    smtpUrl: settings.SMTP_URL,
    publicUrl: 'https://air.example.org',
    afterMs: 90_000,
    silentAfterMs: 5_400_000,
    on: ['moderate', 'poor'],
    aboutRooms: ['aired'],
    quiet: { from: '22:00', to: '07:00' },
    timeZone: 'Europe/Berlin',
    againMs: 86_400_000,
  });
  const { HOST, ...others } = parseEnv(settings);
  expect(Object.keys(others)).not.toContain('NOTIFY_SECRET');
});

test('accept min and m as minutes', () => {
  expect(alertsWith({ NOTIFY_AFTER: '3m', SILENT_AFTER: '20 min' })).toMatchObject({
    afterMs: 180_000,
    silentAfterMs: 1_200_000,
  });
});

test.each([
  ['NOTIFY_SECRET', 'secret'],
  ['NOTIFY_SECRET', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['NOTIFY_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['NOTIFY_AFTER', '5 minutes'],
  ['NOTIFY_AFTER', '-1'],
  ['NOTIFY_AFTER', '13h'],
  ['SILENT_AFTER', '0'],
  ['SILENT_AFTER', '8d'],
  ['NOTIFY_ON', 'good'],
  ['NOTIFY_ON', 'poor;silent'],
  ['NOTIFY_ON', ','],
  ['NOTIFY_QUIET', '22-7'],
  ['NOTIFY_QUIET', '24:00-07:00'],
  ['NOTIFY_QUIET', '07:00-07:00'],
  ['NOTIFY_TIME_ZONE', 'Berlin'],
  ['NOTIFY_AGAIN', '30s'],
  ['SMTP_URL', 'mail.example.org'],
  ['SMTP_URL', 'smtp:///x'],
  ['SMTP_URL', 'smtp://ann:secret@mail.example.org'],
  ['SMTP_URL', 'smtp://ann%40example.org:sec/ret@mail.example.org'],
  ['PUBLIC_URL', 'air.example.org'],
  ['PUBLIC_URL', 'https://air.example.org/air'],
  ['PUBLIC_URL', 'https://ann:secret@air.example.org'],
])('%s=%s stops the start', (name, value) => {
  const message = refusalOf({ [name]: value });
  expect(message).toContain(`${name}: must `);
  expect(message).not.toContain('secret@');
});

test.each([
  'http://localhost:8080',
  'https://ann:secret@hooks.example.org/air?key=1',
  'ntfy://192.168.1.5:8080/air',
  'ntfys://:tk_secret@ntfy.sh/my-topic_1',
  'slack+https://hooks.slack.com/services/T/B/X',
  'mattermost+http://chat/hooks/x',
  'discord+https://discord.com/api/webhooks/1/x',
  'gotify+https://push.example.org/sub?token=AbC',
  'alertmanager+http://[::1]:9093',
])('accepts %s', (url) => {
  expect(alertsWith({ NOTIFY_URLS: url })?.urls).toEqual([url]);
});

test('accepts mail addresses if SMTP_URL is set, and otherwise says that it is missing', () => {
  const mail = { NOTIFY_URLS: 'mailto:ann@example.org,bob+air@mail.example.org' };
  expect(alertsWith({ ...mail, SMTP_URL: 'smtp://localhost?from=air@example.org' })?.urls).toHaveLength(1);
  expect(refusalOf(mail)).toContain(
    'SMTP_URL: is missing: the 1st address (mailto:…@example.org) of NOTIFY_URLS',
  );
});

test.each([
  ['ntfy://ntfy.sh', 'ntfy://ntfy.sh/…', 'must end with a topic'],
  ['ntfy://ntfy.sh/SECRET/more', 'ntfy://ntfy.sh/…', 'must end with a topic'],
  ['ntfys://:SECRET@ntfy.sh/', 'ntfys://ntfy.sh/…', 'must end with a topic'],
  ['ntfys://SECRET', 'ntfys://…', 'must end with a topic'],
  ['ntfys://SECRET/', 'ntfys://…', 'must end with a topic'],
  ['discord+https://user@SECRET', 'discord+https://…', 'must have the path'],
  ['gotify+https://SECRET', 'gotify+https://…', 'must end with ?token='],
  ['https://a.example/SECRET,https://b/SECRET', 'https://a.example/…', 'by a space'],
  ['https://a.example/SECRET;NTFY://b/SECRET', 'https://a.example/…', 'by a space'],
  ['https://a.example/SECRET,', 'https://a.example/…', 'by a space'],
  ['mailto:SECRET@a.example,mailto:b@b.example', 'mailto:…@a.example', 'by a space'],
  ['slack+https://hooks.slack.com', 'slack+https://hooks.slack.com/…', 'must have the path'],
  ['slack://SECRET/SECRET', '…', 'must begin with one of http://'],
  ['SECRET', '…', 'must begin with one of http://'],
  ['gotify+https://push.example.org/?tok=SECRET', 'gotify+https://push.example.org/…', '?token='],
  ['https:/SECRET', 'https://…', 'must be an address like'],
  ['https:///SECRET', 'https://…', 'must be an address like'],
  ['https://u:SECRET/SECRET@host:x', 'https://…', 'must be an address like'],
  ['https://u:SEC?RET@host', 'https://…', 'must be an address like'],
  [
    'http://u:SECRET@host:0/SECRET',
    'http://host:0/…',
    'must have another port: nothing can be reached at port 0',
  ],
  ['ntfy://host:0/SECRET', 'ntfy://host:0/…', 'must have another port'],
  ['https://host:99999/SECRET', 'https://host:99999/…', 'must be an address like'],
  ['mailto:SECRET', 'mailto:…', 'must be mail addresses'],
  ['mailto:SECRET@example.org%0aBcc:eve@example.org', 'mailto:…@example.org', 'must be mail addresses'],
  ['mailto:Ann<SECRET@example.org>', 'mailto:…', 'must be mail addresses'],
  ['mailto:SECRET@example.org?subject=x', 'mailto:…@example.org', 'must be mail addresses'],
  ['mailto:%ff@example.org', 'mailto:…@example.org', 'must be mail addresses'],
])('names the address %s as %s without its secrets', (url, shown, reason) => {
  const message = refusalOf({
    NOTIFY_URLS: `http://fine.example.org ${url}`,
    SMTP_URL: 'smtp://localhost?from=air@example.org',
  });
  expect(message).toContain(`NOTIFY_URLS: the 2nd address (${shown}) must `);
  expect(message).toContain(reason);
  expect(message).not.toMatch(/SEC|RET/);
});

test('names every wrong address', () => {
  const urls = Array.from({ length: 23 }, (_, i) => `x${i}`);
  const message = refusalOf({ NOTIFY_URLS: urls.join(' ') });
  for (const name of ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd']) {
    expect(message).toContain(`the ${name} address`);
  }
});

test('sends the password of SMTP_URL to another machine over TLS only', () => {
  expect(parseSmtpUrl('smtp://ann%40example.org:s%3A%25@mail.example.org')).toEqual({
    host: 'mail.example.org',
    port: 587,
    secure: false,
    ignoreTLS: false,
    requireTLS: true,
    auth: { user: 'ann@example.org', pass: 's:%' },
    from: 'ann@example.org',
  });
  const withoutPassword = parseSmtpUrl('smtp://mail.example.org:25?from=a@example.org');
  expect(withoutPassword).toMatchObject({ port: 25, requireTLS: false, auth: undefined });
  expect(parseSmtpUrl('smtps://[::1]/?from=a@example.org')).toMatchObject({
    host: '::1',
    port: 465,
    secure: true,
  });
  expect(parseSmtpUrl('smtp://u:p@localhost?from=a@b')).toMatchObject({ ignoreTLS: true, requireTLS: false });
});
