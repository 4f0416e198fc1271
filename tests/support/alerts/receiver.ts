import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON. */
  body: unknown;
}

/** An HTTP server on this machine that records its requests. */
export interface Receiver {
  /** Host and port, such as `127.0.0.1:40000`. */
  host: string;
  received: Received[];
  close(): Promise<void>;
}

const answerOk: RequestListener = (_, response) => response.end('ok');

/** Starts a receiver that answers each request once its body has arrived. */
export async function startReceiver(answer: RequestListener = answerOk): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, text, body: JSON.parse(text) });
    answer(request, response);
  });
  await listen(server);
  return { host: hostOf(server), received, close: () => closeServer(server) };
}

export function listen(server: TcpServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
}

export const hostOf = (server: TcpServer) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Returns a self-signed key and certificate for `localhost`, made by `openssl`. */
export function selfSignedCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const files = ['-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=localhost', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
    stdio: 'ignore',
  });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
