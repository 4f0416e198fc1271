import { expect, test } from 'vitest';
import type { ApiRequest } from '../../app/http/answer';
import { preferredFormat } from '../../app/http/formats.server';

test.each([
  [null, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV', 'csv'],
  ['text/*', 'csv'],
  ['text/csv; charset=utf-8', 'csv'],
  ['text/csv; header=present', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/csv;q=0.5, application/json', 'json'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['application/json, text/csv', 'json'],
  ['text/csv, application/json', 'csv'],
  ['text/csv;q=0', 'json'],
  ['application/csvx', 'json'],
])('answers Accept: %s with %s', (accept, format) => {
  expect(preferredFormat({ header: () => accept } as unknown as ApiRequest)).toBe(format);
});
