import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ItemGroups } from '../../app/ingest/batch-items.server';
import { countLines, ndjsonItems } from '../../app/ingest/batch-items.server';
import { csvItems } from '../../app/ingest/csv-items.server';
import { CSV, JSON_TYPE, NDJSON, send, store } from '../support/ingest/batch-posts';

const SEED = 12;
const ROOM = 3;

// The settings are read at the first post.
process.env.POSTS_PER_MINUTE = String(ROOM);

/** Bodies of three readings. */
const BODIES: [name: string, type: string, body: string][] = [
  ['a JSON array', JSON_TYPE, '[{"co2":1,"voc":1},{"co2":2,"voc":1},{"co2":3,"voc":1}]\n'],
  ['NDJSON', NDJSON, '{"co2":1,"voc":1}\n{"co2":2,"voc":1}\n{"co2":3,"voc":1}'],
  ['NDJSON with a last line end', NDJSON, '{"co2":1,"voc":1}\n{"co2":2,"voc":1}\n{"co2":3,"voc":1}\n'],
  [
    'NDJSON with blank lines',
    NDJSON,
    '\n{"co2":1,"voc":1}\r\n{"co2":2,"voc":1}\r\n \t\r\n{"co2":3,"voc":1}\n\n',
  ],
  ['CSV', CSV, 'co2\n1\n2\n3'],
  ['CSV with a last line end', CSV, 'co2\n1\n2\n3\n'],
  ['CSV with CRLF', CSV, 'co2\r\n1\r\n2\r\n3\r\n'],
  ['CSV with CR', CSV, 'co2\r1\r2\r3\r'],
  ['CSV with blank lines', CSV, '\ufeffco2,voc\n\n1,1\n \n2,1\n\n\n3,1\n\n'],
];

describe('the limit of readings per minute', () => {
  beforeEach(() => {
    store.reset();
    vi.advanceTimersByTime(60_000);
  });
  beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterAll(() => void vi.useRealTimers());

  test.each(BODIES)('accepts %s that reaches it', async (_, type, body) => {
    expect(await send(type, body, 1)).toMatchObject({ status: 201, value: { stored: ROOM } });
  });

  test.each(BODIES)('rejects %s that exceeds it by one with 429', async (_, type, body) => {
    expect(await send(JSON_TYPE, '[{"co2":1,"voc":1}]')).toMatchObject({ status: 201 });
    expect(await send(type, body)).toMatchObject({
      status: 429,
      detail: expect.stringContaining(
        `room for ${ROOM - 1} more from this address, and this post has ${ROOM}`,
      ),
    });
    expect(store.inserted.flat()).toHaveLength(1);
  });
});

test.each<[string, string, (text: string) => ItemGroups]>([
  ['NDJSON', '', ndjsonItems],
  ['CSV', 'co2,voc\n', recordsOf],
  ['CSV with CR only', 'co2,voc\r', recordsOf],
])('counts at least as many lines in %s as readings', async (_, start, read) => {
  const pieces = [
    '{"co2":1,"voc":2}',
    '1,2',
    '"',
    '""',
    ',',
    ';',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\ufeff',
    '\u00a0',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), async (body) => {
      const text = start + body.join('');
      const items = [...read(text)].flat();
      expect(items.length + (start === '' ? 0 : 1)).toBeLessThanOrEqual(await countLines(text));
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

function recordsOf(text: string): ItemGroups {
  const items = csvItems(text);
  return items.ok ? items.groups : [];
}
