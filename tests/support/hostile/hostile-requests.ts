import fc from 'fast-check';
import { hostileBodies, MARKUP, numberText } from './hostile-bodies';
import { deviceBodies } from './hostile-devices';

/** A request to send as it is; strings are latin1 bytes. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** Header values that are valid by the grammar of HTTP. */
const headerValue = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ019 \t,;=:/*"()[]{}<>?@\\%\x80\xa0\xe9\xff'), maxLength: 40 }),
  fc.constantFrom(
    ...MARKUP,
    'null',
    'cross-site',
    'same-origin',
    'http://evil.example',
    'Bearer x',
    'gzip, br',
    'bytes=0-',
    '*/*',
    '-1',
    '1e9',
    'chunked;q=1',
    '127.0.0.1:99999999',
    'a:b:c',
    '[::1',
    'x'.repeat(4000),
    '__proto__',
    '*',
  ),
);
const headerName = fc.oneof(
  fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'If-None-Match',
    'If-Modified-Since',
    'If-Match',
    'Last-Event-ID',
    'Origin',
    'Range',
    'Referer',
    'Sec-Fetch-Site',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'X-Remix-Revalidate',
    'Access-Control-Request-Method',
    'Purpose',
    'TE',
    'Trailer',
    'Via',
    'Forwarded',
    'Upgrade',
    'Expect',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
  ),
  fc
    .string({ unit: fc.constantFrom(..."abcXYZ019!#$%&'*+-.^_`|~"), minLength: 1, maxLength: 30 })
    .map((name) => `x-${name}`),
);
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant([] as [string, string][]) },
  { weight: 2, arbitrary: fc.array(fc.tuple(headerName, headerValue), { maxLength: 6 }) },
);

const encoded = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent),
  fc.constantFrom(
    ...MARKUP.map(encodeURIComponent),
    '%00',
    '%ff',
    '%zz',
    '%',
    '..%2f..',
    '%2e%2e',
    '\\',
    '//',
    '.data',
  ),
  fc.string({ unit: fc.constantFrom(...'aA0._-~!$()*+,;=:@%2f<>"\''), maxLength: 12 }),
);
const queryValue = fc.oneof(
  fc.integer({ min: -2, max: 50 }).map(String),
  numberText.map(encodeURIComponent),
  encoded,
);
const queryName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('limit', 'after', 'range', 'points', 'from', 'zone', 'by') },
  fc.constantFrom(
    '__proto__',
    'constructor',
    'limit[]',
    'LIMIT',
    '_data',
    '_routes',
    'index',
    'p',
    'version',
    '',
  ),
  encoded,
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { minLength: 1, maxLength: 4 })
  .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`);
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '/api/data',
      '/api/live',
      '/healthz',
      '/api/history',
      '/api/summary',
      '/api/pattern',
      '/api/airrohr',
      '/api/enviro',
      '/api/docs',
      '/api/openapi.json',
      '/metrics',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('/', '/chart', '/postdata', '/_root.data', '/chart.data', '/__manifest'),
  },
  fc.constantFrom(
    '/api',
    '/api/',
    '/api/data.data',
    '/api/live.data',
    '/healthz.data',
    '/assets/',
    '/favicon.svg',
    '*',
    '/api/data/../live',
  ),
  encoded.map((text) => `/${text}`),
  encoded.map((text) => `/api/${text}`),
  encoded.map((text) => `/chart?range=${text}`),
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  fc.constantFrom(
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'PURGE',
    'M-SEARCH',
    'LOCK',
  ),
);

/** Posts with all kinds of bodies. */
const posts = fc.record({
  method: fc.constant('POST'),
  target: fc.constant('/api/data'),
  headers,
  body: hostileBodies,
});

/** Posts of devices in their own words. */
const devicePosts = fc
  .tuple(headers, deviceBodies)
  .map(([headers, [target, body]]) => ({ method: 'POST', target, headers, body }));

/** Requests without a body: queries, pages, unknown paths and methods. */
const bodiless = fc.record({
  method,
  target: fc
    .tuple(path, fc.oneof({ weight: 3, arbitrary: query }, { weight: 1, arbitrary: fc.constant('') }))
    .map(([address, search]) => address + search),
  headers,
  body: fc.constant(null),
});

/** Requests that are well-formed HTTP with hostile contents. */
export const hostileRequests: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 3, arbitrary: posts },
  { weight: 2, arbitrary: devicePosts },
  { weight: 2, arbitrary: bodiless },
);

/** Returns the bytes of a request. */
export function bytesOf({ method, target, headers, body }: HostileRequest): Uint8Array {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: board',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body) lines.push(`Content-Length: ${body.byteLength}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? new Uint8Array()]);
}
