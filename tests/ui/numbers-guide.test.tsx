import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { NumbersText } from '../../app/ui/numbers-guide';
import { THRESHOLDS } from '../support/readings/readings';

test('explains the numbers, the configured thresholds and the source of the defaults', () => {
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
  expect(text).toContain('at 1220 PPM every 48th breath (Rudnick and Milton, 2003)');
  expect(text).toContain('says nothing about the risk of an infection');
});

test('has a text for each metric, with its thresholds if it has some', () => {
  const { container } = render(<NumbersText thresholds={THRESHOLDS} />);
  expect([...container.querySelectorAll('strong')].map(({ textContent }) => textContent)).toEqual(
    METRICS.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
  );
  expect(container.textContent).toContain('below 15 µg/m³ is good, below 35 moderate, and 35 or more poor');
  expect(container.textContent).toContain('below 150 is good, below 250 moderate');
});
