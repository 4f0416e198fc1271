import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiHandler, ApiRequest, ApiResponse } from './answer';
import { compressed } from './compression.server';
import { addressOf, closeAfterResponse, closeSignal, connectionOf, drained } from './guard/client.server';
import { logError, logRefusal } from './guard/refusal-log.server';
import { sendProblem } from './problem.server';
import { acceptsGzip, questionOf } from './question.server';

/**
 * Answers a request with an API handler. An error becomes a 500, or cuts the connection if the response has begun. Logs
 * only failures, because a line for every reading would fill the disk.
 */
export async function answerRequest(
  handler: ApiHandler,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const asked = fromNode(request, response, url);
    const handled = await handler(asked);
    const compressing = request.method === 'HEAD' ? handled : compressed(handled, () => acceptsGzip(asked));
    // Without a promise for a short answer, such as that of a post.
    const answer = compressing instanceof Promise ? await compressing : compressing;
    const sending = send(answer, response);
    if (sending) await sending;
    const { statusCode } = response;
    if (statusCode >= 400 || answer.detail) logRefusal(request, statusCode, answer.detail);
  } catch (error) {
    if (response.destroyed) return;
    logError(error);
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, detail: "Unexpected error. The server's log has more." });
  }
}

function fromNode(request: IncomingMessage, response: ServerResponse, url: URL): ApiRequest {
  let address: string | undefined;
  let question: string | undefined;
  return {
    method: request.method ?? 'GET',
    url,
    // Not a getter: with one, V8 would give each request a hidden class of its own, which is freed late.
    question() {
      question ??= questionOf(this);
      return question;
    },
    header: (name) => request.headers[name]?.toString() ?? null,
    address() {
      address ??= addressOf(request);
      return address;
    },
    signal: () => closeSignal(response),
    body: (take) => readBody(request, take),
  };
}

/** Uses listeners, because the stream's iterator would cost every post several promises. */
function readBody(request: IncomingMessage, take: (part: Uint8Array) => boolean): Promise<boolean> {
  if (request.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    request
      .on('data', (part: Uint8Array) => {
        if (take(part)) return;
        request.pause();
        resolve(true);
      })
      .once('end', () => resolve(true))
      .once('close', () => resolve(false));
  });
}

function send(
  { status = 200, headers, body, closesConnection }: ApiResponse,
  response: ServerResponse,
): Promise<void> | undefined {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.appendHeader(name, value);
  if (closesConnection) closeAfterResponse(response);
  if (response.req.method === 'HEAD' || body === null) {
    response.end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  } else if ('stream' in body) {
    // The body ends with its connection, so it needs no chunks.
    response.setHeader('Connection', 'close');
    response.removeHeader('Transfer-Encoding');
    response.flushHeaders();
    body.stream(connectionOf(response));
  } else {
    return sendParts(body, response);
  }
}

async function sendParts(parts: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  for await (const part of parts) {
    response.write(part);
    if (!(await drained(response))) return;
  }
  response.end();
}
