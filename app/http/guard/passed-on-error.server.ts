import type { ServerResponse } from 'node:http';
import { problemOf, type Refusal } from '../problem.server';

/** Errors of files, by their status. */
const REASONS: Record<number, string> = {
  412: 'The file is not the one that If-Match or If-Unmodified-Since asks for.',
  416: 'The file is shorter than Range asks for. Content-Range has its length.',
};

/** Headers of the file that could not be sent. */
const OF_FILE = ['Accept-Ranges', 'Content-Encoding', 'Content-Range', 'ETag', 'Last-Modified'];

/**
 * Answers a request that remix-serve can't answer with a problem, instead of Express's page. The request guard logs its status.
 *
 * @param error what Express passes on: of a file, with its status and headers
 */
export function answerPassedOnError(error: unknown, response: ServerResponse): void {
  // The client has left.
  if (response.destroyed) return;
  const { status = 500, headers } = (error ?? {}) as { status?: number; headers?: Record<string, string> };
  const detail = REASONS[status];
  if (!detail) console.error(error);
  if (response.headersSent) return void response.destroy();
  for (const name of OF_FILE) response.removeHeader(name);
  const refusal: Refusal = detail
    ? { status, detail, headers }
    : { status: 500, detail: "Unexpected error. The server's log has more." };
  const problem = problemOf(refusal);
  const length = Buffer.byteLength(problem.body);
  response.writeHead(refusal.status, { ...problem.headers, 'Content-Length': length }).end(problem.body);
}
