import { afterEach, expect, test, vi } from 'vitest';
import { submitReading } from '../../../app/ui/posting/submission';
import { reading } from '../../support/readings/readings';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['', { co2: '415', voc: 120 }],
  ['Bedroom', { co2: '415', voc: 120, sensor: 'Bedroom' }],
])('posts to the sensor %j', async (sensor, body) => {
  const answer = vi.fn(async (_url: string, _request: { body: string }) =>
    Response.json(reading(1), { status: 201 }),
  );
  vi.stubGlobal('fetch', answer);
  const outcome = await submitReading({ co2: '415', voc: 120 }, sensor, null);
  expect(outcome.kind).toBe('stored');
  expect(JSON.parse(answer.mock.lastCall?.[1].body ?? '')).toEqual(body);
});
