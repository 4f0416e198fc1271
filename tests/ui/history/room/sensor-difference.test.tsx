import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { HistoryAnswer } from '../../../../app/readings/history/history-answer';
import { differenceText, SensorDifference } from '../../../../app/ui/history/room/sensor-difference';
import { metricAnswer } from '../../../support/history/history-answers';
import { reading, START, sensorWith } from '../../../support/readings/readings';

/** An answer with hourly averages of CO2; null for an hour without readings. */
const hours = (...averages: (number | null)[]): HistoryAnswer => ({
  step_seconds: 3600,
  steps: averages.flatMap((average, i) => {
    const start = new Date(START + i * 3_600_000).toISOString();
    return average === null ? [] : [{ start, readings: 60, co2: metricAnswer(average), voc: null }];
  }),
});

const difference = (office: HistoryAnswer, desk: HistoryAnswer) =>
  differenceText(['Office', office], ['Desk', desk]);

test('is the median and the middle 50 % of the steps that both sensors have', () => {
  const office = hours(640, 650, 648, null, 655, 2000);
  const desk = hours(500, 500, 500, 500, 500, null);
  expect(difference(office, desk)).toBe(
    'Office reads 149 PPM more than Desk (median of 4 hours, middle 50 % 146 to 151).',
  );
  expect(differenceText(['Desk', desk], ['Office', office])).toBe(
    'Desk reads 149 PPM less than Office (median of 4 hours, middle 50 % 146 to 151).',
  );
});

test('counts days if the span is long', () => {
  const all = (value: number) => hours(...Array<number>(119).fill(value));
  expect(difference(all(648), all(500))).toContain('(median of 5 days, ');
});

test('says if two sensors read the same, and if they have no readings at the same time', () => {
  expect(difference(hours(500, 504, 497), hours(500, 500, 500))).toBe(
    'Office reads the same as Desk (median of 3 hours, middle 50 % -1 to 2).',
  );
  expect(difference(hours(500, null), hours(null, 500))).toBe(
    'Office and Desk have no readings at the same time in this span.',
  );
});

const SENSORS = ['Office', 'Desk', 'Kitchen'].flatMap((sensor) =>
  sensorWith([reading(1, { sensor, co2: sensor === 'Kitchen' ? null : 500 })]),
);

beforeEach(() => {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.includes('sensor=Office') ? hours(640, 640) : hours(500, 500)),
  );
  return () => vi.unstubAllGlobals();
});

test('compares with the sensor that the viewer chooses, among those with CO2', async () => {
  render(
    <SensorDifference sensor="Office" sensors={SENSORS} span={{ from: START, to: START + 7_200_000 }} />,
  );
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'no other sensor',
    'Desk',
  ]);
  expect(screen.getByRole('status').textContent).toBe('');
  fireEvent.change(screen.getByRole('combobox', { name: 'In the same room as' }), {
    target: { value: '=Desk' },
  });
  await screen.findByText('Office reads 140 PPM more than Desk (median of 2 hours, middle 50 % 140 to 140).');
});

test('is absent if no other sensor has CO2', () => {
  const { container } = render(
    <SensorDifference
      sensor="Office"
      sensors={SENSORS.slice(0, 1)}
      span={{ from: START, to: START + 1000 }}
    />,
  );
  expect(container.innerHTML).toBe('');
});
