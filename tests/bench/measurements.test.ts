import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { measurements } from '../../bench/measurements';
import { formatTable } from '../../bench/table';

const docs = readFileSync('docs/performance.md', 'utf8');
const names = measurements.map(({ name }) => name);

test('every file of bench/figures is a measurement', () => {
  const files = readdirSync('bench/figures').map((file) => file.replace('.ts', ''));
  expect(names.toSorted()).toEqual(files.sort());
});

test('docs/performance.md explains every measurement, in their order', () => {
  expect([...docs.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)).toEqual(names);
});

test('docs/performance.md shows the figures, the date and the machine of bench/results.json', () => {
  const { date, machine, figures } = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  expect(docs).toContain(formatTable(figures));
  expect(docs).toContain(date.slice(0, 10));
  expect(docs).toContain(machine);
});
