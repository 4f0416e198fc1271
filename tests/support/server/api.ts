import { STATUS_CODES } from 'node:http';
import { expect } from 'vitest';
import type { Problem } from '../../../app/http/problem.server';
import type { Reading } from '../../../app/readings/reading';

/** Sends `POST /api/data` with a JSON body. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/data`, { method: 'POST', body: JSON.stringify(body), headers });
}

/** Posts readings one after another and returns them as stored. Throws unless each gets a 201. */
export async function postAll(url: string, readings: readonly unknown[]): Promise<Reading[]> {
  const stored: Reading[] = [];
  for (const reading of readings) {
    const answer = await post(url, reading);
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    stored.push(await answer.json());
  }
  return stored;
}

/** Returns the readings of `GET /api/data`. `query` begins with `?`. */
export async function readAll(url: string, query = ''): Promise<Reading[]> {
  return (await fetch(`${url}/api/data${query}`)).json();
}

/** Expects a response to be an RFC 9457 problem with this status, and returns its body. */
export async function expectProblem(answer: Response, status: number): Promise<Problem> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  return checkProblem(await answer.json(), status);
}

/** Expects a parsed body to be an RFC 9457 problem with this status, and returns it. */
export function checkProblem(body: Problem, status: number): Problem {
  expect(body).toMatchObject({ type: 'about:blank', title: STATUS_CODES[status], status });
  expect(body.detail).toMatch(/\w/);
  const members = ['type', 'title', 'status', 'detail', 'errors', 'stored', 'duplicates', 'refused'];
  expect(members).toEqual(expect.arrayContaining(Object.keys(body)));
  // A problem with a batch has the errors of each item.
  for (const error of 'refused' in body ? [] : (body.errors ?? [])) {
    expect(error).toEqual({ field: expect.any(String), detail: expect.stringMatching(/\w/) });
  }
  return body;
}
