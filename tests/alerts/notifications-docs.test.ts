import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookRequest } from '../../app/alerts/providers/webhook.server';
import { parseEnv } from '../../app/config/env.server';
import { parseNotifyAddress } from '../../app/config/notify-address.server';
import { webhookEvent } from '../../app/openapi/notifications.server';
import { alertEvent } from '../support/alerts/alert-changes';

const [guide, reference] = ['notifications', 'notifications-reference'].map((name) =>
  readFileSync(`docs/${name}.md`, 'utf8'),
);

test('a webhook contains exactly the documented members', () => {
  const { body } = webhookRequest(alertEvent(), new URL('https://example.org'), null);
  const sent = JSON.parse(String(body));
  expect(webhookEvent.strict().parse(sent)).toEqual(sent);
});

test('the documented addresses are valid, and cover each kind', () => {
  const [, section = ''] = /## Addresses(.*?)\n## /s.exec(reference ?? '') ?? [];
  const addresses = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, address = '']) => address.replace('…', 'example.org/path')),
  );
  expect(new Set(addresses.map((address) => parseNotifyAddress(address).kind))).toEqual(
    new Set(['webhook', 'ntfy', 'slack', 'mattermost', 'discord', 'gotify', 'alertmanager', 'mail']),
  );
});

test('the documented mail servers are valid', () => {
  const urls = [...(guide ?? '').matchAll(/^SMTP_URL=(.*)$/gm)].map(([, url = '']) => url);
  expect(urls.length).toBeGreaterThan(3);
  for (const SMTP_URL of urls) {
    const { alerts } = parseEnv({ NOTIFY_URLS: 'mailto:ann@example.org', SMTP_URL });
    expect(alerts?.smtpUrl).toBe(SMTP_URL);
  }
});
