import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type FieldError, reasonInOneLine } from '../readings/field-error';
import type { ApiResponse, Refusal } from './answer';
import { logRefusal } from './guard/refusal-log.server';

/** The body of every error: RFC 9457, `application/problem+json`. */
export interface Problem {
  /** Always `about:blank`, because `status` identifies the problem. */
  type: string;
  title: string;
  status: number;
  /** Tells a person what went wrong and what to do. */
  detail: string;
  errors?: FieldError[];
  /** Set if sending the readings again could store some of them twice. */
  mayBeStored?: true;
}

export function problemOf({ status, detail, errors, members, mayBeStored, headers }: Refusal) {
  const title = STATUS_CODES[status] ?? 'Error';
  const body: Problem = { type: 'about:blank', title, status, detail, errors, ...members, mayBeStored };
  return {
    title,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
  };
}

/** Returns a problem as an API response. Its first invalid field is logged. */
export function problem(refusal: Refusal): ApiResponse {
  const { body, headers } = problemOf(refusal);
  const { status, closesConnection } = refusal;
  return { status, headers, body, detail: reasonInOneLine(refusal), closesConnection };
}

export function invalidQuery(errors: FieldError[]): ApiResponse {
  return problem({ status: 400, detail: 'The query is invalid.', errors });
}

/** Sends a problem for a request that reaches no handler, and logs it. */
export function sendProblem(response: ServerResponse, refusal: Refusal): void {
  logRefusal(response.req, refusal.status, refusal.detail);
  writeProblem(response, refusal);
}

export function writeProblem(response: ServerResponse, refusal: Refusal): void {
  const { body, headers } = problemOf(refusal);
  response.writeHead(refusal.status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
