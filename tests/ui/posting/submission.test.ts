import { afterEach, expect, test, vi } from 'vitest';
import { isWrongKey, submitReading } from '../../../app/ui/posting/submission';
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

test.each([
  [401, true],
  [400, false],
  [429, false],
  [503, false],
])('with the answer %d to an empty batch, it is %s that a key is wrong', async (status, isWrong) => {
  const answer = vi.fn(async (_url: string, _request: { body: string }) =>
    Response.json(
      { status, detail: 'Why.' },
      { status, headers: { 'Content-Type': 'application/problem+json' } },
    ),
  );
  vi.stubGlobal('fetch', answer);
  expect(await isWrongKey('key')).toBe(isWrong);
  expect(answer.mock.lastCall?.[1].body).toBe('[]');
});
