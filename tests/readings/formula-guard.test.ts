import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormula, unguardFormula } from '../../app/readings/formula-guard.js';

test.each([
  ['=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠A1', "'＠A1"],
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
  ['x;y\t-1', "x;y\t'-1"],
  ['=1;@2', "'=1;'@2"],
  ['x;""=1', 'x;\'""=1'],
])('guards %s as %s', (text, guarded) => {
  expect(guardFormula(text)).toBe(guarded);
});

test.each(['Kitchen', "'Kitchen'", 'a=b', '', "'", '1-2', '#1', 'a; b', 'a;b=1'])(
  'leaves %j unchanged',
  (text) => {
    expect([guardFormula(text), unguardFormula(text)]).toEqual([text, text]);
  },
);

test('unguarding returns the guarded text, whatever it was (seed 1)', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '"', ';', '\t', '=', '+', '-', '@', '＝', 'a', ' ') });
  fc.assert(
    fc.property(text, (sensor) => unguardFormula(guardFormula(sensor)) === sensor),
    { seed: 1 },
  );
});

test('leaves a formula without a guard unchanged', () => {
  expect(unguardFormula('=1')).toBe('=1');
});
