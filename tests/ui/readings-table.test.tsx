import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatReading, ReadingsTable } from '../../app/ui/readings-table';
import { reading } from '../support/readings/readings';

test('shows a dash for an unmeasured metric, with the reason for screen readers', () => {
  render(<ReadingsTable readings={[reading(1, { co2: 415, voc: null })]} hasLoaded />);
  const [, , voc] = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell');
  expect(screen.getByText('415')).toBeTruthy();
  expect(voc?.textContent).toBe('–not measured');
  expect(screen.getByTitle('not measured')).toBeTruthy();
});

test('marks a value that no working sensor reports, but not a counter below zero', () => {
  const doubtful = { ...reading(1, { co2: 65535, voc: -1 }), temperature: 20 };
  render(<ReadingsTable readings={[doubtful]} hasLoaded />);
  const cells = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell');
  expect(cells.slice(1).map(({ textContent }) => textContent)).toEqual(['65535? sensor fault', '-1', '20']);
});

test.each([
  [{ co2: 862, voc: 120.5 }, 'CO2 862 PPM, VOC 120.5 PPB'],
  [{ co2: 862, voc: null }, 'CO2 862 PPM'],
  [{ co2: null, voc: 0 }, 'VOC 0 PPB'],
])('%j is "%s"', (values, text) => {
  expect(formatReading(values)).toBe(text);
});
