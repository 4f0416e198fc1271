import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NumbersText } from '../../app/ui/numbers-guide';
import { THRESHOLDS } from '../support/readings/readings';

test("says what the numbers mean, this installation's limits, and where the defaults come from", () => {
  const { container } = render(
    <NumbersText thresholds={{ ...THRESHOLDS, co2: { good: 800, moderate: 1400 } }} />,
  );
  const text = container.textContent ?? '';
  expect(text).toContain('below 800 PPM is good, below 1400 moderate, and 1400 or more poor');
  expect(text).toContain('below 400 PPB is good, below 800 moderate, and 800 or more poor');
  expect(text).toMatch(
    /1000 and 2000 PPM, are the guide values .* German Environment Agency \(Umweltbundesamt\).* 2008/,
  );
  expect(text).toMatch(/400 and 800 PPB, are a rule of thumb of airboard's own/);
  expect(text).toContain('the number is an estimate');
});
