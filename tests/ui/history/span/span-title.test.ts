import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveSpan } from '../../../../app/readings/time/history-span';
import { parseSpan } from '../../../../app/readings/time/span-address';
import { nameDays, spanTitle } from '../../../../app/ui/history/span/span-title';

const zone = process.env.TZ;
const now = new Date('2026-11-21T12:00:00Z');

beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});

afterEach(() => {
  process.env.TZ = zone;
  if (zone === undefined) delete process.env.TZ;
});

test.each([
  ['?date=2026-11-21', 'Sat 21 Nov 2026'],
  ['?span=week', 'Last 7 days'],
  ['?span=year', 'Last 365 days'],
  ['?span=week&to=2026-11-17T11:00:00Z', '10–17 Nov 2026'],
  ['?span=week&date=2026-11-21', '16–22 Nov 2026'],
  ['?span=week&date=2026-12-01', '30 Nov – 6 Dec 2026'],
  ['?span=week&date=2026-12-31', '28 Dec 2026 – 3 Jan 2027'],
  ['?span=month&date=2026-11-21', 'Nov 2026'],
  ['?span=year&date=2024-11-21', '2024'],
  ['?span=all', 'All readings'],
  ['?from=2026-11-21T09:00:00Z&to=2026-11-21T11:30:00Z', '21 Nov 10:00 – 12:30'],
  ['?from=2026-11-21T09:00:00Z&to=2026-11-21T09:00:30Z', '21 Nov 10:00:00 – 10:00:30'],
  ['?from=2025-11-20T22:00:00Z&to=2025-11-21T11:30:00Z', '20 Nov 2025 23:00 – 21 Nov 2025 12:30'],
  ['?from=2026-09-01T00:00:00Z&to=2026-10-31T23:00:00Z', '1 Sep – 31 Oct 2026'],
])('names %s "%s"', (search, title) => {
  const asked = parseSpan(new URLSearchParams(search));
  const span = resolveSpan(asked, { now: now.getTime(), first: 0, last: null });
  expect(spanTitle(asked, span, now)).toBe(title);
});

test.each([
  ['2026-11-12T00:00+01:00', '2026-11-19T00:00+01:00', '12–18 Nov'],
  ['2026-10-25T00:00+02:00', '2026-11-01T00:00+01:00', '25–31 Oct'],
  ['2025-12-26T00:00+01:00', '2026-01-02T00:00+01:00', '26 Dec 2025 – 1 Jan 2026'],
  ['2025-03-05T00:00+01:00', '2025-03-12T00:00+01:00', '5–11 Mar 2025'],
])('names the days from %s to %s "%s"', (from, to, name) => {
  expect(nameDays({ from: Date.parse(from), to: Date.parse(to) }, now)).toBe(name);
});
