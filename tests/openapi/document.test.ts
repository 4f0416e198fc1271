import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReading } from '../../app/ingest/parse-reading.server';
import { openApiDocument } from '../../app/openapi/document.server';
import { type ApiDocument, schemasOf } from '../support/server/api-document';

const document = await openApiDocument();

test('a linter finds nothing wrong with the document', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // `default` describes the errors of each address. Not all have a separate 4xx.
    rules: { 'operation-4xx-response': 'off' },
  });
  const lint = async (source: object) => {
    const problems = await lintFromString({
      source: JSON.stringify(source),
      absoluteRef: '/openapi.json',
      config,
    });
    return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`);
  };
  expect(await lint(document)).toEqual([]);
  const { components, ...broken } = document;
  expect(await lint(broken)).not.toEqual([]);
}, 120_000);

describe('the schema of a posted reading', () => {
  const isValid = schemasOf(document as unknown as ApiDocument)('components', 'schemas', 'ReadingSent');
  const NOW = Date.UTC(2026, 0, 31);
  const digits = fc.stringMatching(/^\s?[+-]?\d{0,4}[.,]?\d{0,4}([eE][+-]?\d{1,2})?\s?$/);
  const value = fc.oneof(
    fc.double({ noNaN: true }),
    digits,
    fc.string(),
    fc.constantFrom(null, true, [], {}),
  );

  test('accepts and rejects the same metrics as the server', () => {
    fc.assert(
      fc.property(value, (co2) => {
        // JSON has no Infinity.
        fc.pre(typeof co2 !== 'number' || Number.isFinite(co2));
        const isTaken = parseReading({ co2, voc: 1 }, { now: NOW }).ok;
        // JSON Schema can't say that a text like 1e999 is too large for a number.
        fc.pre(typeof co2 !== 'string' || isTaken || Number.isFinite(Number(co2)));
        expect([co2, isValid({ co2, voc: 1 })]).toEqual([co2, isTaken]);
      }),
      { numRuns: 2000, seed: 20260102 },
    );
  });

  test('accepts every reading that the server accepts', () => {
    const time = fc.oneof(
      fc.constantFrom('2026-01-30T10:00:00Z', '2026-01-30 10:00+01:00', 1769853645, '1769853645'),
      value,
    );
    const sensor = fc.oneof(fc.string({ minLength: 1, maxLength: 70 }), value);
    const sent = fc.record({ co2: value, voc: value, created_at: time, sensor }, { requiredKeys: [] });
    fc.assert(
      fc.property(sent, (reading) => {
        if (parseReading(reading, { now: NOW }).ok)
          expect([reading, isValid(reading)]).toEqual([reading, true]);
      }),
      { numRuns: 2000, seed: 20260102 },
    );
    for (const alone of [{ co2: 1 }, { voc: 1 }, { temperature: 1, co2: null }]) {
      expect([alone, isValid(alone), parseReading(alone).ok]).toEqual([alone, true, true]);
    }
    for (const missing of [{ co2: null, voc: null }, {}, [], null, 7]) {
      expect([missing, isValid(missing)]).toEqual([missing, false]);
      expect(parseReading(missing).ok).toBe(false);
    }
  });
});
