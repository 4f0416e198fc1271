import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { webhookRequest } from '../../app/alerts/providers/webhook.server';
import { parseEnv } from '../../app/config/env.server';
import { parseNotifyAddress } from '../../app/config/notify-address.server';
import { airReport, testAnswer } from '../../app/openapi/notifications.server';
import { alertEvent } from '../support/alerts/alert-events';

const docs = readFileSync('docs/notifications.md', 'utf8');

/** Returns the text below a heading of docs/notifications.md. */
const section = (heading: string) => docs.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] as string;

/** Returns the words of code in the first column of the tables in a text. */
const firstColumn = (text: string) =>
  [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => codesIn(cell));

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);

test('docs/notifications.md has an address of every kind, and each is valid', () => {
  const kinds = firstColumn(section('Addresses')).map(
    (address) => parseNotifyAddress(address.replace('…', 'example.org/path')).kind,
  );
  expect(new Set(kinds)).toEqual(
    new Set(['webhook', 'ntfy', 'slack', 'mattermost', 'discord', 'gotify', 'alertmanager', 'mail']),
  );
});

test.each([...docs.matchAll(/^SMTP_URL=(.*)$/gm)].map(([, url = '']) => url))(
  '%s is a mail server',
  (url) => {
    const { alerts } = parseEnv({ NOTIFY_URLS: 'mailto:ann@example.org', SMTP_URL: url });
    expect(alerts?.smtpUrl).toBe(url);
  },
);

test('the webhook of docs/notifications.md has the members of one that is sent, and the table explains each', () => {
  const [, example = ''] = /\n\n(\{"type".*?\}\})\n```/s.exec(section('Webhooks')) ?? [];
  const documented = JSON.parse(example.replaceAll('\n', ''));
  const { body, headers } = webhookRequest(
    alertEvent(),
    new URL('https://example.org'),
    `whsec_${btoa('x'.repeat(24))}`,
  );
  const sent = JSON.parse(body as string);
  expect(Object.keys(documented)).toEqual(Object.keys(sent));
  expect(Object.keys(documented.data)).toEqual(Object.keys(sent.data));
  expect(firstColumn(section('Webhooks'))).toEqual(Object.keys(sent.data));
  for (const header of Object.keys(headers ?? {})) expect(section('Webhooks')).toContain(`\n${header}: `);
});

describe('the API of docs/notifications.md', () => {
  const api = section('API').replace(/^```.*?^```$/gms, '');

  test('names every member of the report and of the answer to a test', () => {
    const members = [airReport, testAnswer].flatMap((schema) => membersOf(z.toJSONSchema(schema)));
    expect(members.length).toBeGreaterThan(30);
    const named = codesIn(api);
    expect(members.filter((member) => !named.includes(member))).toEqual([]);
  });

  test('names every reason why nothing was sent', () => {
    const [, reasons = ''] = /^\| `transitions\[\]\.untold` \| (.*?);/m.exec(api) ?? [];
    const { untold } = airReport.shape.transitions.element.shape;
    expect(codesIn(reasons)).toEqual(untold.unwrap().options);
  });
});

/** Returns the names of all properties in a JSON schema. */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...others } = schema as { properties?: object };
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(others)].flatMap(membersOf),
  ];
}
