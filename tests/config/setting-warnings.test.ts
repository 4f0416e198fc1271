import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { warningsAbout } from '../../app/config/setting-warnings.server';

const warningsWith = (WRITE_KEY: string) => warningsAbout(parseEnv({ WRITE_KEY })).join('\n');

test.each([
  ['x', '1 character', 'less than a second'],
  ['1234567', '7 characters', '56 minutes'],
  ['sesame', '6 characters', '1 day'],
  ['Ab3', '3 characters', '1 minute'],
  ['sesame12', '8 characters', '30 years'],
  ['Sesame-1', '8 characters', 'more than 1000 years'],
  ['0123456789abcde', '15 characters', 'more than 1000 years'],
])('warns about the WRITE_KEY %s of %s: all of them take %s', (key, length, time) => {
  const warnings = warningsWith(key);
  expect(warnings).toContain(`WRITE_KEY has ${length}: trying all such keys takes ${time} at 3000 a second`);
  expect(warnings).toContain('Use 16 random characters or more');
  expect(warnings.includes(key) && key.length > 2).toBe(false);
});

test('accepts a WRITE_KEY of 16 characters without a word', () => {
  expect(warningsWith('0123456789abcdef')).toBe('');
});
