import { expect, test } from 'vitest';
import { pageQuery } from '../../app/http/page-query.server';
import { RANGES } from '../../app/readings/chart/range';

const asked = (search: string, cookie?: string) =>
  pageQuery(new Request(`http://airboard/${search}`, { headers: cookie ? { Cookie: cookie } : {} })).sensor;

test.each([
  ['?sensor=Bedroom', { chosen: 'Bedroom' }],
  ['?range=1HR&sensor=K%C3%BCche%20%F0%9F%8D%B3&wall', { chosen: 'Küche 🍳' }],
  ['?sensor=', { chosen: '' }],
  ['?sensor=%20Bedroom%20', { chosen: 'Bedroom' }],
  [`?sensor=${'x'.repeat(64)}`, { chosen: 'x'.repeat(64) }],
  [`?sensor=${encodeURIComponent('🍳'.repeat(64))}`, { chosen: '🍳'.repeat(64) }],
  ['?range=1HR', {}],
])('%s selects %j', (search, expected) => {
  expect(asked(search)).toEqual(expected);
});

test('the address takes precedence over the cookie', () => {
  expect(asked('?sensor=Bedroom', 'sensor=Kitchen')).toEqual({ chosen: 'Bedroom' });
});

test.each([
  ['sensor=Kitchen', 'Kitchen'],
  ['a=1; sensor=K%C3%BCche; b=2', 'Küche'],
  ['a=1;sensor=Kitchen', 'Kitchen'],
  ['sensor=', ''],
  [`sensor=${encodeURIComponent('🍳'.repeat(64))}`, '🍳'.repeat(64)],
])('the cookie %s stores %j', (cookie, remembered) => {
  expect(asked('', cookie)).toEqual({ remembered });
});

test.each([
  'sensor=%',
  'sensor=%FF',
  'sensor=%00',
  'sensor=a%0Ab',
  `sensor=${'x'.repeat(65)}`,
  `sensor=${'x'.repeat(8000)}`,
  'mysensor=Kitchen',
  'a=sensor=Kitchen',
])('ignores the cookie %s', (cookie) => {
  expect(asked('', cookie)).toEqual({});
});

test.each([
  `?sensor=${'x'.repeat(65)}`,
  '?sensor=a%00b',
  '?sensor=a%0Ab',
  `?sensor=${'%F0%9F%8D%B3'.repeat(65)}`,
])('answers %s with the error page for 400', (search) => {
  let thrown: unknown;
  try {
    asked(search);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ status: 400, statusText: 'Unknown sensor' });
});

const parse = (search: string) => pageQuery(new Request(`http://localhost/${search}`), 'range').range;

test('returns the range in the parameter', () => {
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

test.each(['?span=decade', '?span=day&range=1HR', '?from=yesterday'])(
  'rejects the span of %s with 400 on pages with spans',
  (search) => {
    const request = new Request(`http://localhost/${search}`);
    expect(() => pageQuery(request, 'span')).toThrow(expect.objectContaining({ status: 400 }));
    expect(pageQuery(request)).toMatchObject({ isOfSpan: false, range: null });
  },
);

test('detects a span in the address', () => {
  const isOfSpan = (search: string) => pageQuery(new Request(`http://localhost/${search}`), 'span').isOfSpan;
  expect(['?span=day', '?sensor=a', ''].map(isOfSpan)).toEqual([true, false, false]);
});

const roomsOf = (search: string) =>
  pageQuery(new Request(`http://localhost/${search}`), 'span', 'range').rooms;

test('several sensors of a page with spans are rooms of one chart, each once', () => {
  expect(roomsOf('?sensor=A&sensor=+B+&sensor=A&sensor=')).toEqual(['A', 'B', '']);
  expect(roomsOf('?sensor=A&sensor=A')).toEqual([]);
  expect(roomsOf('')).toEqual([]);
  expect(pageQuery(new Request('http://localhost/?sensor=A&sensor=B')).rooms).toEqual([]);
});

const named = (count: number) => `?${Array.from({ length: count }, (_, i) => `sensor=${i}`).join('&')}`;

test.each([
  [named(7), 'Too many rooms', 'The address names 7 rooms. One chart shows at most 6'],
  ['?sensor=A&sensor=B&range=1HR', 'Unknown range', 'A chart of several rooms shows a span'],
  ['?sensor=A&sensor=a%00b', 'Unknown sensor', 'No sensor has such a name.'],
])('answers %s with 400 and the reason', async (search, statusText, detail) => {
  const thrown = await Promise.resolve(search)
    .then(roomsOf)
    .catch((error: Response) => error);
  if (!(thrown instanceof Response)) throw new Error('nothing was thrown');
  expect([thrown.status, thrown.statusText]).toEqual([400, statusText]);
  expect(await thrown.text()).toContain(detail);
  expect(roomsOf(named(6))).toHaveLength(6);
});
