import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'docs/decisions';
const decisions = readdirSync(FOLDER).sort();

test('decisions are numbered without gaps', () => {
  const numbers = decisions.map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test.each(decisions)(
  '%s has a title, a date, a status, its context, the decision and its consequences',
  (name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    expect(text).toMatch(/^# .+\n\nDate: \d{4}-\d\d-\d\d\. Status: (accepted|superseded by \d{4})\b.*\.\n/);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
  },
);
