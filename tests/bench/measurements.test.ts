import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { measurements } from '../../bench/measurements';

test('every file of bench/figures is a measurement', () => {
  const files = readdirSync('bench/figures').map((file) => file.replace('.ts', ''));
  expect(measurements.map(({ name }) => name).toSorted()).toEqual(files.sort());
});
