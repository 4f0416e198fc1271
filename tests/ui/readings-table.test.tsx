import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ReadingsTable } from '../../app/ui/readings-table';
import { reading } from '../support/readings/readings';

test("a dash stands where a metric isn't measured, and screen readers hear why", () => {
  render(<ReadingsTable readings={[reading(1, { co2: 415, voc: null })]} hasLoaded />);
  const [, , voc] = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell');
  expect(screen.getByText('415')).toBeTruthy();
  expect(voc?.textContent).toBe('–not measured');
  expect(screen.getByTitle('not measured')).toBeTruthy();
});
