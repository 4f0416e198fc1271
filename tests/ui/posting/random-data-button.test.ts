import { expect, test } from 'vitest';
import { randomReading } from '../../../app/ui/posting/random-data-button';

test.each([
  [0, { co2: 0, voc: 0 }],
  [0.5, { co2: 1500, voc: 300 }],
  [0.999, { co2: 2997, voc: 599 }],
  [1 - Number.EPSILON / 2, { co2: 2999, voc: 599 }],
])('the random number %d gives a reading of %o', (given, expected) => {
  expect(randomReading(() => given)).toEqual(expected);
});

test('draws the two values of a random reading separately, CO2 first', () => {
  const drawn = [0.25, 0.75];
  expect(randomReading(() => drawn.shift() ?? 0)).toEqual({ co2: 750, voc: 450 });
});

test('random readings are whole numbers within their default limits', () => {
  for (let i = 0; i < 2000; i++) {
    const { co2 = -1, voc = -1 } = randomReading();
    expect(Number.isInteger(co2) && co2 >= 0 && co2 <= 2999).toBe(true);
    expect(Number.isInteger(voc) && voc >= 0 && voc <= 599).toBe(true);
  }
});
