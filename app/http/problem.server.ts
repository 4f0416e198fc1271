import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { FieldError } from '../readings/field-error';
import type { ApiResponse } from './api-route.server';

/** One error body everywhere: RFC 9457, `application/problem+json`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  /** What went wrong and what to do, for a person. */
  detail: string;
  errors?: FieldError[];
  /** Set where a reading may have been stored all the same: who sends it again may store it twice. */
  mayBeStored?: true;
}

/** What to refuse a request with. `type` is `about:blank`: the status says which problem, the detail why. */
export interface Refusal {
  status: number;
  detail: string;
  errors?: Problem['errors'];
  mayBeStored?: Problem['mayBeStored'];
  headers?: Record<string, string>;
}

/** The parts of a problem's answer. */
export function problemOf({ status, detail, errors, mayBeStored, headers }: Refusal) {
  const title = STATUS_CODES[status] ?? 'Error';
  const body: Problem = { type: 'about:blank', title, status, detail, errors, mayBeStored };
  return {
    title,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
  };
}

/** A problem as a route's answer. */
export function problem(refusal: Refusal): ApiResponse {
  const { body, headers } = problemOf(refusal);
  return { status: refusal.status, headers, body };
}

/** A problem as the answer to a request that no route sees. */
export function sendProblem(response: ServerResponse, refusal: Refusal): void {
  const { body, headers } = problemOf(refusal);
  response.writeHead(refusal.status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** 503 with `Retry-After`, for a store that can't be reached. */
export function unavailable(detail: string, retryAfterSeconds: number, mayBeStored = false): ApiResponse {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return problem({ status: 503, detail, mayBeStored: mayBeStored || undefined, headers });
}
