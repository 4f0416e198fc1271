import type { ExampleRequest } from './operation.server';

const HOST = 'http://localhost:3000';

/** Returns the path and query of an example's request. */
export function addressOf(path: string, { query = {} }: ExampleRequest): string {
  const text = new URLSearchParams(query).toString();
  return text ? `${path}?${text.replaceAll('%3A', ':').replaceAll('%2F', '/')}` : path;
}

/** Returns the body of an example's request as text; undefined without one. */
export function bodyOf({ body }: ExampleRequest): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** Returns a request as a command for a shell. */
export function curlOf(method: string, path: string, request: ExampleRequest): string {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body = bodyOf(request);
  const data = body === undefined ? '' : ` --data-binary ${body.includes('\n') ? '$' : ''}'${escaped(body)}'`;
  const verb = method === 'post' && body === undefined ? ' -X POST' : '';
  const address = `${HOST}${addressOf(path, request)}`;
  return `curl${verb}${headers.join('')}${data} ${/[?&]/.test(address) ? `'${address}'` : address}`;
}

const escaped = (text: string) => text.replaceAll('\n', '\\n').replaceAll("'", "\\'");
