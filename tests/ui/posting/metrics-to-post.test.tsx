import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { UNNAMED } from '../../../app/readings/reading';
import { useMetricsToPost } from '../../../app/ui/posting/metrics-to-post';
import { reading } from '../../support/readings/readings';

const [both, climate, pressure] = [
  reading(1, { co2: 800, voc: 120 }),
  reading(2, { co2: null, voc: null, temperature: 20, humidity: 40 }),
  reading(3, { co2: null, voc: null, pressure: 1013 }),
];

const fieldsOf = (metrics: readonly { field: string }[]) => metrics.map(({ field }) => field);

test.each([
  ['Attic', [climate], ['temperature', 'humidity']],
  ['Attic', [both, climate], ['co2', 'voc', 'temperature', 'humidity']],
  ['Attic', [], ['co2', 'voc']],
  [UNNAMED, [], ['co2', 'voc']],
  [UNNAMED, [climate], ['co2', 'voc', 'temperature', 'humidity']],
])('asks the sensor %j with %j for %j', (sensor, history, fields) => {
  const { result } = renderHook(() => useMetricsToPost({ sensor, history }));
  expect(fieldsOf(result.current)).toEqual(fields);
});

test('a metric stays while the page shows the sensor', () => {
  const { result, rerender } = renderHook(useMetricsToPost, {
    initialProps: { sensor: 'Attic', history: [climate] },
  });
  rerender({ sensor: 'Attic', history: [pressure] });
  expect(fieldsOf(result.current)).toEqual(['temperature', 'humidity', 'pressure']);
  rerender({ sensor: 'Cellar', history: [pressure] });
  expect(fieldsOf(result.current)).toEqual(['pressure']);
  rerender({ sensor: 'Cellar', history: [] });
  expect(fieldsOf(result.current)).toEqual(['pressure']);
});
