import { type ApiResponse, jsonResponse } from './api-handler.server';
import { problem, type Refusal } from './problem.server';

/** The outcome of a write, as the rules for posts give it. */
type WriteAnswer = { ok: true; status: number; value: unknown; detail?: string } | ({ ok: false } & Refusal);

/** Returns the response to a write. */
export function writeResponse(answer: WriteAnswer): ApiResponse {
  if (!answer.ok) return problem(answer);
  const { status, value, detail } = answer;
  return { ...jsonResponse(value, { status }), detail };
}
