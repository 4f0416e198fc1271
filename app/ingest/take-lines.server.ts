import { getEnv } from '../config/env.server';
import type { ApiRequest, Refusal, WriteAnswer } from '../http/answer';
import { reasonInOneLine } from '../readings/field-error';
import type { ReadingStore } from '../store/reading-store';
import { PRECISION_NAMES } from './line-protocol.server';
import type { BatchReport } from './store-batch.server';
import { takeLines } from './take-post.server';
import { refuseWrite } from './write-access.server';

/** The parameters of InfluxDB 1 and 2. airboard has one database, so most say nothing to it. */
export const INFLUX_PARAMETERS = [
  ...['precision', 'org', 'orgID', 'bucket', 'bucketID'],
  ...['db', 'rp', 'consistency', 'u', 'p'],
];

/**
 * Stores a post of InfluxDB's line protocol. Answers 204, or an error with the members by which clients of InfluxDB 2 (`code`,
 * `message`) and 1 (`error`) name it, besides those of every problem.
 */
export async function takeInfluxWrite(store: ReadingStore, request: ApiRequest): Promise<WriteAnswer> {
  const precision = request.url.searchParams.get('precision') ?? 'ns';
  if (!PRECISION_NAMES.includes(precision)) {
    const errors = [{ field: 'precision', detail: `must be one of ${PRECISION_NAMES.join(', ')}` }];
    return refuse({ status: 400, detail: 'The query is invalid.', errors });
  }
  const writer = { ...request, header: withKey(request) };
  const refusal = refuseWrite(writer);
  if (refusal) return refuse(refusal);
  const answer = await takeLines(store, writer, { tags: getEnv().SENSOR_TAG, precision });
  if (!answer.ok) return refuse(answer);
  const report = answer.value as BatchReport;
  if (report.refused === 0) return { ...answer, status: 204, value: null };
  const [first] = report.errors;
  const line =
    first && 'line' in first
      ? ` ${reasonInOneLine({ detail: `Line ${first.line}:`, errors: first.errors })}.`
      : '';
  const detail = `partial write: ${report.stored} stored, ${report.refused} refused.${line}`;
  return refuse({ status: 400, detail, members: { ...report } });
}

/** Returns the headers, with the password of InfluxDB 1 in the address (`p`) as the key if there is no other. */
function withKey({ header, url }: ApiRequest): ApiRequest['header'] {
  const password = url.searchParams.get('p');
  return (name) =>
    header(name) ?? (name === 'authorization' && password !== null ? `Bearer ${password}` : null);
}

const CODES: Record<number, string> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  413: 'request too large',
  429: 'too many requests',
  503: 'unavailable',
};

function refuse(refusal: Refusal): WriteAnswer {
  const message = reasonInOneLine(refusal);
  const code = CODES[refusal.status] ?? 'internal error';
  return { ok: false, ...refusal, members: { ...refusal.members, code, message, error: message } };
}
