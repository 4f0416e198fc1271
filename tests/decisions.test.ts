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

test('code names only decisions that exist', () => {
  const named = ['app', 'bench', 'scripts', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => /\.[jt]sx?$/.test(entry.name))
      .flatMap(({ parentPath, name }) => {
        const text = readFileSync(`${parentPath}/${name}`, 'utf8');
        return [...text.matchAll(/docs\/decisions\/(\d{4}[\w-]*\.md)|\bdecision[\s*]+(\d{4})\b/g)];
      })
      .map(([, file, number]) => file ?? number ?? ''),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !decisions.some((file) => file.startsWith(name)))).toEqual([]);
});
