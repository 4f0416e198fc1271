import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { metricOf, VOC } from '../../../../app/readings/metric';
import { ShadeLegend } from '../../../../app/ui/history/patterns/shade';

test('the legend shows all decimals of the thresholds', () => {
  const threshold = { good: 0.125, moderate: 0.375 };
  const range = { lowest: 0, highest: 1 };
  render(<ShadeLegend metric={VOC} {...{ threshold, range }} by="hour" hasSparse={false} hasHint={false} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'good, below 0.125 PPB',
    'moderate, below 0.375',
    'poor, 0.375 or more',
    'no readings',
  ]);
});

test('the legend of a metric without levels shows the range of the averages', () => {
  const range = { lowest: 19.04, highest: 24.16 };
  const metric = metricOf('temperature');
  render(
    <ShadeLegend {...{ metric, range }} threshold={undefined} by="hour" hasSparse={false} hasHint={false} />,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '19 to 24.2 °C, higher is darker',
    'no readings',
  ]);
});
