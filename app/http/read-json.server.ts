import type { ApiRequest } from './api-handler.server';
import type { Refusal } from './problem.server';

/** The largest body that is accepted, in bytes. A reading needs about a hundred. */
export const BODY_LIMIT = 16 * 1024;

export type JsonBody = { ok: true; value: unknown } | ({ ok: false } & Refusal);

const TOO_LARGE: JsonBody = {
  ok: false,
  status: 413,
  detail: 'The body is over 16 KiB. Send one reading.',
  closesConnection: true,
};

/**
 * Reads a request's body as JSON, whatever its `Content-Type` says: cheap boards leave it off. Stops reading
 * after 16 KiB.
 */
export async function readJson(request: ApiRequest): Promise<JsonBody> {
  if (Number(request.header('Content-Length')) > BODY_LIMIT) return TOO_LARGE;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request.body()) {
      chunks.push(part);
      size += part.byteLength;
      if (size > BODY_LIMIT) return TOO_LARGE;
    }
  } catch {
    return { ok: false, status: 400, detail: 'The connection broke off before the end of the body.' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, status: 400, detail: 'The body is not JSON. Send {"co2": 415, "voc": 120}.' };
  }
}
