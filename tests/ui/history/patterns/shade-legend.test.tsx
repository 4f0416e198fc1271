import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { VOC } from '../../../../app/readings/metric';
import { ShadeLegend } from '../../../../app/ui/history/patterns/shade';

test('the legend has the limits of the levels with all of their decimals', () => {
  const threshold = { good: 0.125, moderate: 0.375 };
  render(<ShadeLegend metric={VOC} threshold={threshold} by="hour" hasSparse={false} hasHint={false} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'good, below 0.125 PPB',
    'moderate, below 0.375',
    'poor, 0.375 or more',
    'no readings',
  ]);
});
