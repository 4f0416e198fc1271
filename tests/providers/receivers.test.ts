import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { alertAddresses } from '../../app/alerts/addresses.server';
import { tryAddresses } from '../../app/alerts/send-test.server';
import { parseEnv } from '../../app/config/env.server';
import type { AlertAddress, AlertEvent } from '../../app/providers/alert-event';
import { alertEvent } from '../support/alerts/alert-changes';
import { type Received, type Receiver, startReceiver } from '../support/alerts/receiver';

const NOTIFY_SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const LINK = alertEvent().url;

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** Returns the addresses from these settings, after the checks of the start. */
function addressesOf(NOTIFY_URLS: string, others: Record<string, string> = {}) {
  const { alerts } = parseEnv({ NOTIFY_URLS, ...others });
  if (!alerts) throw new Error('NOTIFY_URLS is empty');
  return alertAddresses(alerts);
}

/** Sends an event to an address, in which HOST stands for the receiver, and returns the request. */
async function send(url: string, event: AlertEvent, others?: Record<string, string>): Promise<Received> {
  const [address] = addressesOf(url.replace('HOST', receiver.host), others);
  expect(await address?.send(event, new AbortController().signal)).toEqual({
    isDelivered: true,
    text: 'HTTP 200: ok',
  });
  const request = receiver.received.at(-1) as Received;
  expect(request.method).toBe('POST');
  expect(request.headers['content-type']).toBe('application/json');
  return request;
}

describe('a webhook', () => {
  test('gets the event with its type and time, at its path and query', async () => {
    const event = alertEvent();
    const { path, body, headers } = await send('http://HOST/hooks/air?key=1', event);
    expect(path).toBe('/hooks/air?key=1');
    expect(body).toEqual({ type: 'air.entered', timestamp: event.at, data: event });
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['webhook-signature']).toBeUndefined();
  });

  test('has a signature that the Standard Webhooks library accepts with this secret only', async () => {
    const event = alertEvent({ title: 'Küche: schlechte Luft 🪟' });
    const { text, headers } = await send('http://HOST/', event, { NOTIFY_SECRET });
    const asRecord = headers as Record<string, string>;
    expect(new Webhook(NOTIFY_SECRET).verify(text, asRecord)).toMatchObject({ data: event });
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => new Webhook(other).verify(text, asRecord)).toThrow();
    expect(() => new Webhook(NOTIFY_SECRET).verify(text.replace('2104', '2105'), asRecord)).toThrow();
  });

  test('keeps its id in each attempt', async () => {
    const ids = [];
    for (let i = 0; i < 2; i++) ids.push((await send('http://HOST/', alertEvent())).headers['webhook-id']);
    expect(ids).toEqual(['msg_1', 'msg_1']);
  });

  test('gets the user and password of its address', async () => {
    const { headers } = await send('http://ann:s%C3%A9cret@HOST/', alertEvent());
    expect(headers.authorization).toBe(`Basic ${Buffer.from('ann:sécret').toString('base64')}`);
  });
});

describe('ntfy', () => {
  test('gets JSON at its root with title, priority, tags and link', async () => {
    const { path, body } = await send('ntfy://HOST/my-topic', alertEvent());
    expect(path).toBe('/');
    expect(body).toEqual({
      topic: 'my-topic',
      title: 'Kitchen: poor air',
      message: 'CO2 is 2104 PPM, above 2000 for 5 min.',
      priority: 4,
      tags: ['rotating_light'],
      click: LINK,
    });
  });

  test.each([
    ['entered', 'silent', 4, 'mute'],
    ['entered', 'moderate', 3, 'warning'],
    ['ended', 'good', 3, 'white_check_mark'],
    ['reminder', 'poor', 4, 'rotating_light'],
    ['test', 'good', 3, 'bell'],
  ] as const)('gets %s %s with priority %s and the tag %s', async (kind, state, priority, tag) => {
    const { body } = await send('ntfy://HOST/t', alertEvent({ kind, state, url: null }));
    expect(body).toMatchObject({ priority, tags: [tag] });
    expect(body).not.toHaveProperty('click');
  });

  test('gets an access token as the password', async () => {
    const { headers } = await send('ntfy://:tk_secret@HOST/t', alertEvent());
    expect(headers.authorization).toBe(`Basic ${Buffer.from(':tk_secret').toString('base64')}`);
  });
});

const HOSTILE = alertEvent({
  title: '@everyone <!channel> <@U123> *b* [x](http://evil.example) & a|b: poor air',
  url: 'https://air.example.org/history?sensor=a)b|c',
});
const Z = '\u200b';

describe('chats', () => {
  test('Slack gets text with a link', async () => {
    const { path, body } = await send('slack+http://HOST/services/T0/B0/X', alertEvent());
    expect(path).toBe('/services/T0/B0/X');
    expect(body).toEqual({
      text: `*Kitchen: poor air*\nCO2 is 2104 PPM, above 2000 for 5 min.\n<${LINK}|Show the history>`,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  test('Slack gets no mentions', async () => {
    const { text } = (await send('slack+http://HOST/s', HOSTILE)).body as { text: string };
    expect(text.split('\n')[0]).toBe(
      `*@${Z}everyone &lt;!channel&gt; &lt;@${Z}U123&gt; ∗b∗ [x](http://${Z}evil.${Z}example) &amp; a|b: poor air*`,
    );
    expect(text.split('\n')[2]).toBe('<https://air.example.org/history?sensor=a%29b%7Cc|Show the history>');
  });

  test('Mattermost gets Markdown with a link, with names as plain text and without mentions', async () => {
    const { path, body } = await send('mattermost+http://HOST/hooks/x', alertEvent());
    expect(path).toBe('/hooks/x');
    expect(body).toEqual({
      text: `**Kitchen: poor air**\nCO2 is 2104 PPM, above 2000 for 5 min\\.\n[Show the history](${LINK})`,
    });
    const { text } = (await send('mattermost+http://HOST/hooks/x', HOSTILE)).body as { text: string };
    expect(text).not.toMatch(/@\w|<[!@]/);
    expect(text).toContain(`\\[x\\]\\(http://${Z}evil\\.${Z}example\\)`);
    expect(text).toContain('?sensor=a%29b%7Cc)');
  });

  test('Discord gets content that may mention nobody', async () => {
    const { path, body } = await send('discord+http://HOST/api/webhooks/1/x', alertEvent());
    expect(path).toBe('/api/webhooks/1/x');
    expect(body).toEqual({
      content: `**Kitchen: poor air**\nCO2 is 2104 PPM, above 2000 for 5 min\\.\n[Show the history](<${LINK}>)`,
      allowed_mentions: { parse: [] },
      flags: 4,
    });
    const { content } = (await send('discord+http://HOST/x', HOSTILE)).body as { content: string };
    expect(content).not.toMatch(/@\w|<[!@]/);
  });
});

describe('Gotify', () => {
  test('gets a message with priority and link, and its token in a header', async () => {
    const { path, body, headers } = await send('gotify+http://HOST/push/?token=AbC', alertEvent());
    expect(path).toBe('/push/message');
    expect(headers['x-gotify-key']).toBe('AbC');
    expect(body).toEqual({
      title: 'Kitchen: poor air',
      message: 'CO2 is 2104 PPM, above 2000 for 5 min.',
      priority: 8,
      extras: { 'client::notification': { click: { url: LINK } } },
    });
  });

  test('gets a recovery with a lower priority', async () => {
    const { path, body } = await send(
      'gotify+http://HOST?token=AbC',
      alertEvent({ kind: 'ended', state: 'good', url: null }),
    );
    expect(path).toBe('/message');
    expect(body).toMatchObject({ priority: 5 });
    expect(body).not.toHaveProperty('extras');
  });
});

describe('providers with one server', () => {
  const TELEGRAM = 'telegram://123456:ABC-d_ef@-1001234';

  /** Answers as the provider's server, and returns the outcome of each event with the requests. */
  async function answered(url: string, answers: [status: number, body: unknown, headers?: object][]) {
    const rest = [...answers];
    const provider = await startReceiver((_, response) => {
      const [status, body, headers = {}] = rest.shift() ?? [200, { ok: true }];
      response.writeHead(status, headers as Record<string, string>).end(JSON.stringify(body));
    });
    const real = globalThis.fetch;
    // Only the address of the server is replaced: it can't be had.
    vi.stubGlobal('fetch', (target: URL, init: RequestInit) =>
      real(new URL(target.pathname + target.search, `http://${provider.host}`), init),
    );
    try {
      const [address] = addressesOf(url);
      const send = () => (address as AlertAddress).send(alertEvent(), new AbortController().signal);
      return { outcomes: [await send(), await send()], received: provider.received };
    } finally {
      vi.unstubAllGlobals();
      await provider.close();
    }
  }

  test('Telegram gets plain text, and its token is in no label', async () => {
    const { received } = await answered(TELEGRAM, []);
    expect(received[0]?.path).toBe('/bot123456:ABC-d_ef/sendMessage');
    expect(received[0]?.body).toEqual({
      chat_id: '-1001234',
      text: `Kitchen: poor air\nCO2 is 2104 PPM, above 2000 for 5 min.\n${LINK}`,
      link_preview_options: { is_disabled: true },
    });
    expect(addressesOf(TELEGRAM)[0]?.label).toBe('telegram://…');
  });

  test.each([
    ['telegram://1:a@12345', { chat_id: '12345' }],
    ['telegram://1%3Aa@@my_channel', { chat_id: '@my_channel' }],
    ['telegram://1:a@my_channel', { chat_id: '@my_channel' }],
    ['telegram://1:a@-5?message_thread_id=7', { chat_id: '-5', message_thread_id: '7' }],
  ])('%s names a chat', async (url, body) => {
    expect((await answered(url, [])).received[0]?.body).toMatchObject(body);
  });

  test('a group of Telegram that became a supergroup gets its messages at its new number', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    const moved = { ok: false, description, parameters: { migrate_to_chat_id: -100777 } };
    const { outcomes, received } = await answered(TELEGRAM, [[400, moved]]);
    expect(outcomes.every(({ isDelivered }) => isDelivered)).toBe(true);
    expect(received.map(({ body }) => (body as { chat_id: string }).chat_id)).toEqual([
      '-1001234',
      '-100777',
      '-100777',
    ]);
    expect(log.mock.calls.flat().join()).toContain('put -100777 as its number into NOTIFY_URLS');
    log.mockRestore();
  });

  test.each([
    [TELEGRAM, 429, { parameters: { retry_after: 17 } }, {}, { retryAfterSeconds: 17 }],
    [TELEGRAM, 403, { description: 'Forbidden: bot was blocked by the user' }, {}, { isPermanent: true }],
    [TELEGRAM, 400, { description: 'Bad Request: chat not found' }, {}, { isPermanent: true }],
    [TELEGRAM, 502, {}, {}, {}],
    ['pushover://uKey:aToken', 400, { errors: ['user is invalid'] }, {}, { isPermanent: true }],
    [
      'pushover://uKey:aToken',
      429,
      {},
      { 'X-Limit-App-Reset': String(Math.floor(Date.now() / 1000) + 500) },
      { retryAfterSeconds: expect.closeTo(500, -1) },
    ],
    ['pushover://uKey:aToken', 500, {}, {}, {}],
    ['apprise://HOST/key', 204, undefined, {}, {}],
    ['apprise://HOST/key', 424, {}, {}, { isPermanent: true }],
    ['apprise://HOST/key', 500, {}, {}, {}],
  ])('%s: %i with %j and %j', async (url, status, body, headers, expected) => {
    const { outcomes } = await answered(url, [[status, body, headers]]);
    expect(outcomes[0]).toEqual({
      isDelivered: false,
      text: expect.stringContaining(`HTTP ${status}`),
      ...expected,
    });
    expect(outcomes[0]?.text).not.toMatch(/ABC-d_ef|aToken/);
  });

  test('Pushover gets the keys, a priority and a link', async () => {
    const { received } = await answered('pushover://uKey:aToken', []);
    expect(received[0]).toMatchObject({
      path: '/1/messages.json',
      body: {
        ...{ user: 'uKey', token: 'aToken', priority: 1, url: LINK, url_title: 'Show the history' },
        ...{ title: 'Kitchen: poor air', message: 'CO2 is 2104 PPM, above 2000 for 5 min.' },
      },
    });
    expect(received[0]?.headers.authorization).toBeUndefined();
  });

  test('Apprise gets a notification for the stored configuration', async () => {
    const { received } = await answered('apprise://HOST/push/my-key?tag=home', []);
    expect(received[0]).toMatchObject({
      path: '/push/notify/my-key',
      body: {
        ...{ title: 'Kitchen: poor air', type: 'failure', format: 'text', tag: 'home' },
        body: `CO2 is 2104 PPM, above 2000 for 5 min.\n${LINK}`,
      },
    });
    // As Apprise's own page writes the address.
    const pasted = await answered('apprise://HOST/push/notify/my-key', []);
    expect(pasted.received[0]?.path).toBe('/push/notify/my-key');
  });

  test.each([
    ['telegram://@123', "the bot's token"],
    ['telegram://123456:ABC', "the bot's token"],
    ['pushover://key', 'the token of an application'],
    ['apprise://HOST/', 'the key of a configuration'],
  ])('%s is refused', (url, reason) => {
    expect(() => addressesOf(url)).toThrow(reason);
  });
});

describe('Alertmanager', () => {
  type Alert = { labels: Record<string, string>; startsAt?: string; endsAt?: string };

  /** Returns the names of the alerts that an event fires and resolves. */
  async function alertsOf(event: AlertEvent) {
    const alerts = (await send('alertmanager+http://HOST', event)).body as Alert[];
    const isFiring = ({ endsAt }: Alert) => !endsAt || Date.parse(endsAt) > Date.now();
    const names = (list: Alert[]) => list.map(({ labels }) => labels.alertname);
    return {
      firing: names(alerts.filter(isFiring)),
      resolved: names(alerts.filter((one) => !isFiring(one))),
    };
  }

  test('gets a firing alert with labels, annotations and its start, without an expiry', async () => {
    const { path, body } = await send('alertmanager+http://HOST/am/', alertEvent());
    expect(path).toBe('/am/api/v2/alerts');
    const firing = (body as Alert[]).find(({ labels }) => labels.alertname === 'AirPoor');
    expect(firing).toEqual({
      labels: { alertname: 'AirPoor', severity: 'critical', sensor: 'Kitchen' },
      annotations: { summary: 'Kitchen: poor air', description: 'CO2 is 2104 PPM, above 2000 for 5 min.' },
      generatorURL: LINK,
      startsAt: '2026-03-01T10:00:00.000Z',
      endsAt: expect.any(String),
    });
    expect(Date.parse(firing?.endsAt ?? '') - Date.now()).toBeGreaterThan(300 * 86_400_000);
  });

  test('gets each state as an alert: a new level resolves the others, and silence keeps the level', async () => {
    expect(await alertsOf(alertEvent())).toEqual({
      firing: ['AirPoor'],
      resolved: ['AirModerate', 'SensorSilent'],
    });
    expect(await alertsOf(alertEvent({ state: 'moderate' }))).toEqual({
      firing: ['AirModerate'],
      resolved: ['AirPoor', 'SensorSilent'],
    });
    expect(await alertsOf(alertEvent({ state: 'silent', before: 'poor' }))).toEqual({
      firing: ['SensorSilent'],
      resolved: [],
    });
    expect(await alertsOf(alertEvent({ kind: 'ended', state: 'good' }))).toEqual({
      firing: [],
      resolved: ['AirModerate', 'AirPoor', 'SensorSilent'],
    });
    expect(await alertsOf(alertEvent({ kind: 'test', state: 'good' }))).toEqual({
      firing: ['AirboardTest'],
      resolved: [],
    });
  });

  test('gets no empty label for the unnamed sensor', async () => {
    const { body } = await send('alertmanager+http://HOST', alertEvent({ sensor: '' }));
    for (const { labels } of body as Alert[]) expect(Object.keys(labels)).not.toContain('sensor');
  });
});

describe('addresses', () => {
  test('have distinct labels without secrets, and stable keys', () => {
    const urls =
      'ntfys://ntfy.sh/secret-1 ntfys://ntfy.sh/secret-2 http://u:secret-3@host:81/secret-4?k=secret-5';
    const addresses = addressesOf(urls);
    expect(addresses.map(({ label }) => label)).toEqual([
      'ntfys://ntfy.sh/… (1)',
      'ntfys://ntfy.sh/… (2)',
      'http://host:81/…',
    ]);
    expect(new Set(addresses.map(({ key }) => key)).size).toBe(3);
    expect(addresses.map(({ key }) => key)).toEqual(addressesOf(urls).map(({ key }) => key));
    expect(addresses.every(({ key }) => /^[\da-f]{16}$/.test(key))).toBe(true);
  });

  test('are tried in parallel, and each reports its result', async () => {
    const refused = await startReceiver((_, response) => response.writeHead(403).end('no'));
    const many = Array.from({ length: 12 }, (_, i) => `http://${receiver.host}/${i}`);
    const results = await tryAddresses(addressesOf([`ntfy://${refused.host}/t`, ...many].join(' ')));
    await refused.close();
    expect(results[0]).toEqual({
      label: `ntfy://${refused.host}/…`,
      outcome: { isDelivered: false, text: 'HTTP 403: no' },
    });
    expect(results.slice(1).every(({ outcome }) => outcome.isDelivered)).toBe(true);
    expect(refused.received[0]?.body).toMatchObject({ title: 'airboard: test', tags: ['bell'] });
    expect(receiver.received).toHaveLength(12);
  });
});
