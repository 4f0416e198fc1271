import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logError, logRefusal } from '../../../app/http/guard/refusal-log.server';

let lines: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-02T10:00:00Z') });
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('logs the time, method, address, status and reason in one line', () => {
  logRefusal({ method: 'POST', url: '/api/data?a=1' }, 400, 'The body is not JSON.');
  logRefusal({}, 431, 'The headers are over 16 KiB.');
  expect(lines).toEqual([
    '[airboard] 2026-01-02T10:00:00.000Z POST /api/data?a=1 400 The body is not JSON.',
    '[airboard] 2026-01-02T10:00:00.000Z - - 431 The headers are over 16 KiB.',
  ]);
});

test('truncates the address and the reason to 200 characters, and removes control characters', () => {
  logRefusal({ method: 'GET', url: `/${'a'.repeat(199)}b` }, 404, `${'x'.repeat(200)}y`);
  logRefusal({ method: 'GET', url: '/\x9b31m' }, 404, 'two\nlines');
  expect(lines[0]).toMatch(/ GET \/a{199}… 404 x{200}…$/);
  expect(lines[1]).toMatch(/ GET \/\?31m 404 two\?lines$/);
});

test.each([
  [
    '/api/data?write_key=secret&sensor=Kitchen&Token=secret',
    '/api/data?write_key=***&sensor=Kitchen&Token=***',
  ],
  ['/write?db=air&u=me&p=secret', '/write?db=air&u=me&p=***'],
  ['/write?p=secret?secret=&precision=s', '/write?p=***&precision=s'],
  ['/write?%70=secret', '/write?%70=***'],
  ['/query?q=a?p=secret&PASSWORD=secret', '/query?q=a?p=***&PASSWORD=***'],
  ['http://me:secret@board/write?db=air', 'http://***@board/write?db=air'],
  ['/api/data?points=5&step=1&%=2', '/api/data?points=5&step=1&%=2'],
])('logs %s as %s, without keys', (url, logged) => {
  logRefusal({ method: 'POST', url }, 400);
  expect(lines[0]).toContain(` POST ${logged} 400`);
});

test('logs errors with the same limit, cut at 2,000 characters and without keys', () => {
  const errors: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(text));
  logError(new Error(`GET /?key=secret-1 failed ${'x'.repeat(9000)}`));
  expect(errors[0]).toMatch(/^Error: GET \/\?key=\*\*\* failed x+…$/);
  expect(errors[0]).toHaveLength(2001);
  for (let i = 0; i < 100; i++) logError(new Error('again'));
  logRefusal({ method: 'GET', url: '/x' }, 404);
  expect([errors.length, lines.length]).toEqual([10, 0]);
  vi.advanceTimersByTime(1000);
  expect(lines[0]).toMatch(/… and 92 more refused requests or errors within a second$/);
});

test('logs at most ten lines a second, and the number of omitted ones', () => {
  const refuse = (count: number) => {
    for (let i = 0; i < count; i++) logRefusal({ method: 'GET', url: '/x' }, 404);
  };
  refuse(10);
  vi.advanceTimersByTime(1000);
  expect(lines).toHaveLength(10);
  refuse(1000);
  vi.advanceTimersByTime(999);
  expect(lines).toHaveLength(20);
  vi.advanceTimersByTime(1);
  expect(lines[20]).toMatch(/Z … and 990 more refused requests or errors within a second$/);
  refuse(1);
  expect(lines).toHaveLength(22);
});
