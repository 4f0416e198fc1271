import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { parseNotifyAddress } from '../../app/config/notify-address.server';
import { webhookEvent } from '../../app/openapi/notifications.server';
import { PROVIDERS } from '../../app/providers/providers.server';
import { webhook } from '../../app/providers/webhook.server';
import { alertEvent } from '../support/alerts/alert-changes';

const [guide, reference] = ['notifications', 'notifications-reference'].map((name) =>
  readFileSync(`docs/${name}.md`, 'utf8'),
);

test('a webhook contains exactly the documented members', () => {
  const { body } = webhook.request(alertEvent(), new URL('https://example.org'), null);
  const sent = JSON.parse(String(body));
  expect(webhookEvent.strict().parse(sent)).toEqual(sent);
});

test('the documented addresses are valid, and cover each provider', () => {
  const [, section = ''] = /## Addresses(.*?)\n## /s.exec(reference ?? '') ?? [];
  const addresses = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, address = '']) => address.replace('…', 'example.org/path')),
  );
  const documented = addresses.map((text) => {
    const address = parseNotifyAddress(text);
    return 'provider' in address ? address.provider.name : 'mail';
  });
  expect(new Set(documented)).toEqual(new Set([...PROVIDERS.map(({ name }) => name), 'mail']));
});

test('the address that the page shows for each provider is valid', () => {
  for (const provider of PROVIDERS) {
    const address = provider.example.replace('…', 'example.org/path');
    expect(parseNotifyAddress(address)).toMatchObject({ provider });
  }
});

test('the documented mail servers are valid', () => {
  const urls = [...(guide ?? '').matchAll(/^SMTP_URL=(.*)$/gm)].map(([, url = '']) => url);
  expect(urls.length).toBeGreaterThan(3);
  for (const SMTP_URL of urls) {
    const { alerts } = parseEnv({ NOTIFY_URLS: 'mailto:ann@example.org', SMTP_URL });
    expect(alerts?.smtpUrl).toBe(SMTP_URL);
  }
});
