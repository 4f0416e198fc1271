import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBelow } from './support/sources';

const docs = readFileSync('docs/supabase.md', 'utf8');

const code = ['app/boot.server.ts', ...filesBelow('app/store/supabase'), ...filesBelow('app/live/browser')]
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const [, troubleshooting = ''] = docs.split('## Troubleshooting');
const messages = [...troubleshooting.matchAll(/^\| ([A-Z].*?) \|/gm)].map(([, message]) => message as string);

test('docs/supabase.md has a table of messages', () => {
  expect(messages.length).toBeGreaterThan(5);
});

test.each([
  ...messages,
  'readings are kept in: …',
  'table data of the Supabase project at …',
  'It is not known whether the … stored.',
])('docs/supabase.md quotes a message of the code: %s', (message) => {
  const [text = ''] = message.split('…');
  expect(docs).toContain(text);
  expect(code).toContain(text);
});

test('docs/supabase.md drops a policy of the migration', () => {
  const policy = /drop policy (".*") on public\.data/.exec(docs)?.[1];
  const [migration = ''] = filesBelow('supabase/migrations').map((path) => readFileSync(path, 'utf8'));
  expect(policy).toBeDefined();
  expect(migration).toContain(`create policy ${policy} on public.data for insert`);
});
