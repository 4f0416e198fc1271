import { expect, test } from 'vitest';
import { linkToNext, readingQueryParser } from '../../app/http/query.server';

const parse = (query: string) =>
  readingQueryParser('sensor', 'from', 'to', 'limit', 'after', 'format')(new URLSearchParams(query));

/** Returns the fields and details of a refused query. */
function errorsOf(query: string) {
  const parsed = parse(query);
  return parsed.ok ? [] : parsed.errors;
}

test.each([
  ['', {}],
  ['limit=1&after=0', { limit: 1, after: 0 }],
  ['sensor=', { sensor: '' }],
  ['sensor=%20Living+room%20', { sensor: 'Living room' }],
  // Earlier versions stored such a name.
  ['sensor=a%E2%80%AEb', { sensor: 'a\u202eb' }],
  ['from=2026-11-21T00:00:00Z', { from: '2026-11-21T00:00:00.000Z' }],
  ['from=2026-11-21T01:00:00%2B01:00', { from: '2026-11-21T00:00:00.000Z' }],
  ['from=2026-11-21T01:00:00+01:00', { from: '2026-11-21T00:00:00.000Z' }],
  ['to=2026-11-20T19:00:00.000001-05:00', { to: '2026-11-21T00:00:00.000001Z' }],
  ['format=csv', { format: 'csv' }],
  ['after=9007199254740991', { after: 9_007_199_254_740_991 }],
])('parses %j', (query, parsed) => {
  expect(parse(query)).toEqual({ ok: true, query: parsed });
});

test('accepts `from` equal to `to` and rejects a later `from`, with any number of decimals', () => {
  const span = (from: string, to: string) => `from=2026-11-21T00:00:00${from}&to=2026-11-21T00:00:00${to}`;
  expect(errorsOf(span('.123Z', '.123000Z'))).toEqual([]);
  expect(errorsOf(span('.123Z', '.123456Z'))).toEqual([]);
  expect(errorsOf(span('.123456Z', '.123Z'))).toEqual([
    {
      field: 'from',
      detail: 'is after to: 2026-11-21T00:00:00.123456Z is later than 2026-11-21T00:00:00.123Z',
    },
  ]);
});

test.each([
  ['from=2026-11-21', 'from', /^needs a time and an offset from UTC: write it like .*, not "2026-11-21"$/],
  ['to=2026-11-21T10:00', 'to', /^needs an offset from UTC: write it like 2026-/],
  ['to=2026-11-21+10:00', 'to', /^needs an offset from UTC: write it like 2026-/],
  ['from=yesterday', 'from', /^must be a time like .*, not "yesterday"$/],
  ['from=', 'from', /^must be a time like/],
  ['from=1763683200', 'from', /^must be a time like/],
  ['from=2026-13-21T00:00:00Z', 'from', /^must be a time like/],
  [
    'to=9999-12-31T23:59:59-01:00',
    'to',
    /^must be in the years 100 to 9999 in UTC, not "9999-12-31T23:59:59-01:00"$/,
  ],
  ['from=0100-01-01T00:00:00+01:00', 'from', /^must be in the years 100 to 9999 in UTC, not "0100-/],
  ['from=2026-01-01T00:00:00%2B24:00', 'from', /^must be a time like/],
  ['sensor=a%00b', 'sensor', /control characters/],
  [`sensor=${'a'.repeat(65)}`, 'sensor', /^must be a name of at most 64 characters/],
  ['after=9007199254740992', 'after', /^must be 9007199254740991 at most$/],
  ['limit=12345678901234567890', 'limit', /^must be 9007199254740991 at most$/],
  ['after=-1', 'after', /^must be a whole number, 0 or more$/],
  ['after=1.5', 'after', /^must be a whole number, 0 or more$/],
  ['after=', 'after', /^must be a whole number, 0 or more$/],
  ['limit=0', 'limit', /^must be a whole number, 1 or more$/],
  ['format=xml', 'format', /^must be csv or json$/],
  ['sensor=a&sensor=a', 'sensor', /twice/],
  ['senser=a', 'senser', /^is unknown: use sensor, from, to, limit, after, or format$/],
])('refuses %s, and shows the right format', (query, field, detail) => {
  expect(errorsOf(query)).toEqual([{ field, detail: expect.stringMatching(detail) }]);
});

test('rejects any parameter of an address that takes none', () => {
  const parsed = readingQueryParser()(new URLSearchParams('limit=1'));
  expect(parsed).toEqual({
    ok: false,
    errors: [{ field: 'limit', detail: 'is unknown: this address takes no parameters' }],
  });
});

test('links to the next page only if there is one, also after a full page', () => {
  expect(linkToNext('/api/sensors', ['a', 'b', 'c'], 2)).toEqual({
    Link: '</api/sensors?limit=2&after=b>; rel="next"',
  });
  expect(linkToNext('/api/sensors', ['a', 'b'], 2)).toEqual({});
  expect(linkToNext('/api/sensors', [], 2)).toEqual({});
});
