import { expect, test } from 'vitest';
import { parseRangeQuery } from '../../app/http/range-query.server';
import { RANGES } from '../../app/readings/chart/range';

const parse = (search: string) => parseRangeQuery(new Request(`http://localhost/${search}`));

test('returns the range that the parameter names', () => {
  for (const range of RANGES) expect(parse(`?range=${range.name}`)).toBe(range);
});

test('returns null without the parameter', () => {
  expect(parse('')).toBeNull();
  expect(parse('?ranges=1HR')).toBeNull();
});

test.each(['', '1hr', '1HR ', '1DAY', '<b>x</b>', '__proto__'])(
  'rejects the unknown range "%s" with 400 and lists the known ones',
  async (name) => {
    const thrown = await Promise.resolve()
      .then(() => parse(`?range=${encodeURIComponent(name)}`))
      .catch((error: Response) => error);
    if (!(thrown instanceof Response)) throw new Error('nothing was thrown');
    expect([thrown.status, thrown.statusText]).toEqual([400, 'Unknown range']);
    expect(await thrown.text()).toContain('Choose one of these: 10MIN, 1HR, 6HR, 24HR.');
  },
);
