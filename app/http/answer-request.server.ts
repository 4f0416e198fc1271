import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiHandler, ApiRequest, ApiResponse } from './answer';
import { addressOf, closeAfterResponse, closeSignal, connectionOf, drained } from './guard/client.server';
import { logRefusal } from './guard/refusal-log.server';
import { sendProblem } from './problem.server';

/**
 * Answers a request with an API handler. An error becomes a 500, or cuts the connection if the response has
 * begun. Only requests that fail are logged: a line for every reading would fill a disk.
 */
export async function answerRequest(
  handler: ApiHandler,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await handler(fromNode(request, response, url));
    await send(answer, response);
    const { statusCode } = response;
    if (statusCode >= 400 || answer.detail) logRefusal(request, statusCode, answer.detail);
  } catch (error) {
    if (response.destroyed) return;
    console.error(error);
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, detail: "Unexpected error. The server's log has more." });
  }
}

function fromNode(request: IncomingMessage, response: ServerResponse, url: URL): ApiRequest {
  const header = (name: string) => request.headers[name.toLowerCase()]?.toString() ?? null;
  return {
    method: request.method ?? 'GET',
    url,
    header,
    address: () => addressOf(request),
    signal: () => closeSignal(response),
    body: () => request.iterator({ destroyOnReturn: false }),
  };
}

async function send(
  { status = 200, headers, body, closesConnection }: ApiResponse,
  response: ServerResponse,
): Promise<void> {
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
    response.flushHeaders();
    for await (const part of body) {
      response.write(part);
      if (!(await drained(response))) return;
    }
    response.end();
  }
}
