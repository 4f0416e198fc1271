import fc from 'fast-check';

/** Markup that would run if a page contained it unescaped. */
export const MARKUP = [
  '<script>hacked()</script>',
  '"><img src=x onerror=hacked()>',
  '</script><script>hacked()',
];

const bytes = (text: string) => new TextEncoder().encode(text);
const unicode = fc.string({ unit: 'binary', maxLength: 20 });

/** Numbers as text: huge, tiny, precise, and text that only looks like a number. */
const numberText = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '-0',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '1.',
    '.5',
    '+1',
    '01',
  ),
  fc.nat(400).map((digits) => `9${'9'.repeat(digits)}`),
  fc.constantFrom('1,5', '１２', '٣', ' 12 ', '\u00a012', '1e', '--1', '9007199254740993'),
);
const jsonText = fc.oneof(
  { weight: 6, arbitrary: numberText },
  { weight: 4, arbitrary: numberText.map((text) => JSON.stringify(text)) },
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '{"valueOf": 1}',
    ...MARKUP.map((text) => JSON.stringify(text)),
  ),
  unicode.map((text) => JSON.stringify(text)),
);
const memberName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('co2', 'voc') },
  fc.constantFrom('__proto__', 'constructor', 'id', 'created_at', 'CO2', 'co2 ', 'toString', '', ...MARKUP),
  unicode,
);
/** JSON objects built member by member, so that a name can appear twice. */
const objectText = fc
  .array(fc.tuple(memberName, jsonText), { maxLength: 6 })
  .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
const readingText = fc
  .tuple(jsonText, jsonText, fc.array(fc.tuple(memberName, jsonText), { maxLength: 2 }))
  .map(([co2, voc, more]) => {
    const rest = more.map(([name, value]) => `,${JSON.stringify(name)}:${value}`).join('');
    return `{"co2":${co2},"voc":${voc}${rest}}`;
  });
const deepText = fc
  .tuple(fc.nat(8000), fc.constantFrom(['[', ']'], ['{"co2":', '}'], ['[{"voc":', '}]']), fc.boolean())
  .map(
    ([depth, [open, close], isClosed]) => `${open?.repeat(depth)}1${isClosed ? close?.repeat(depth) : ''}`,
  );

/** Bodies of posts: readings valid and not, other JSON, broken JSON, bytes, and sizes around the maximum. */
const hostileBodies = fc.oneof(
  { weight: 10, arbitrary: readingText.map(bytes) },
  { weight: 5, arbitrary: objectText.map(bytes) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 5 }).map(bytes) },
  { weight: 1, arbitrary: deepText.map(bytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(readingText, fc.nat(40)).map(([text, cut]) => bytes(text.slice(0, -cut))),
  },
  { weight: 1, arbitrary: readingText.map((text) => bytes(`\ufeff${text}`)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 16_300, max: 16_500 })
      .map((n) => bytes(`{"co2":1,"voc":2,"a":"${'x'.repeat(n)}"}`)),
  },
);

/** Names that a device may give itself. Most are invalid as names of sensors. */
const name = fc.constantFrom<unknown>(
  ...[
    '1234567',
    'Küche',
    ' Attic ',
    '__proto__',
    '',
    ' ',
    'a\nb',
    'x'.repeat(65),
    0,
    7,
    null,
    undefined,
    {},
    [],
  ],
  ...MARKUP,
);
const value = fc.oneof(
  { weight: 5, arbitrary: numberText },
  fc.double(),
  fc.constantFrom<unknown>(null, undefined, true, '', 'nan', [], [1], {}, { valueOf: 1 }),
);
const CO2 = 'SCD30_co2_ppm';
const valueType = fc.constantFrom<unknown>(CO2, CO2, CO2, 'SDS_P1', 'scd30_co2_ppm', '__proto__', 7, null);
const airRohrValues = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(
      fc.oneof({ weight: 8, arbitrary: fc.record({ value_type: valueType, value }) }, value),
      {
        maxLength: 4,
      },
    ),
  },
  // More than 16 KiB.
  value.map((value) => Array(1000).fill({ value_type: CO2, value })),
  value,
);
const airRohr = fc.record({ esp8266id: name, software_version: name, sensordatavalues: airRohrValues });

/** Generates each time once, since a second reading with the same sensor and time would be refused. */
const pastTime = fc
  .noBias(fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2026, 0) }))
  .map((ms) => new Date(ms).toISOString());
const timestamp = fc.oneof(
  { weight: 6, arbitrary: pastTime },
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    '2026-13-01T00:00:00Z',
    '2099-01-01T00:00:00Z',
    0,
    -1,
    1e20,
    [],
    {},
  ),
);
const readingName = fc.constantFrom(
  'co2',
  'co2',
  'scd_co2',
  'scd41_co2',
  'voc',
  'tvoc',
  'aqi',
  'temperature',
  '__proto__',
);
const enviroReadings = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(readingName, value, { maxKeys: 4 }) },
  value,
);
const enviro = fc.record({ nickname: name, uid: name, timestamp, model: name, readings: enviroReadings });

const bodies = (device: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: device.map((sent) => new TextEncoder().encode(JSON.stringify(sent))) },
    { weight: 1, arbitrary: hostileBodies },
  );
const deviceQuery = fc.constantFrom('', '', '?sensor=Attic');

/** Addresses for devices with their own formats, and similar bodies. */
const deviceBodies = fc.oneof(
  fc.tuple(
    deviceQuery.map((search) => `/api/airrohr${search}`),
    bodies(airRohr),
  ),
  fc.tuple(
    deviceQuery.map((search) => `/api/enviro${search}`),
    bodies(enviro),
  ),
);

type Members = Record<string, unknown>;

const membersOf = (sent: unknown) => (typeof sent === 'object' && sent !== null ? sent : {}) as Members;

/** Returns true for null, and for the generated values that aren't numbers though they look like a failing sensor's. */
export const isNothing = (value: unknown) =>
  value === null ||
  (typeof value === 'number' && !Number.isFinite(value)) ||
  (typeof value === 'string' && ['nan', 'infinity', 'null'].includes(value.trim().toLowerCase()));

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/**
 * Returns the equivalent members of a post to `/api/data` for a body and its address, independently of the product's
 * code; null if there are none.
 */
export function membersSent(target: string, sent: unknown): Members | null {
  const named = target.includes('?sensor=') ? { sensor: 'Attic' } : {};
  if (target.startsWith('/api/airrohr')) {
    const { esp8266id: sensor, sensordatavalues } = membersOf(sent);
    if (!Array.isArray(sensordatavalues)) return null;
    const of = (type: string) => {
      const value = sensordatavalues.find((item) => item?.value_type === type)?.value ?? null;
      return isNothing(value) || isBlank(value) ? null : value;
    };
    const [co2, pm10] = [of(CO2), of('SDS_P1')];
    return co2 === null && pm10 === null ? null : { co2, voc: null, pm10, sensor, ...named };
  }
  if (target.startsWith('/api/enviro')) {
    const { nickname, uid, timestamp: created_at, readings } = membersOf(sent);
    const of = (names: string[]) =>
      names
        .filter((name) => Object.hasOwn(membersOf(readings), name))
        .map((name) => membersOf(readings)[name])
        .find((value) => !isNothing(value) && !isBlank(value));
    const [co2 = null, voc = null] = [of(['co2', 'scd_co2', 'scd41_co2']), of(['voc', 'tvoc'])];
    return { co2, voc, temperature: of(['temperature']), created_at, sensor: nickname || uid, ...named };
  }
  return membersOf(sent);
}

/** A request to send unchanged. Strings are latin1 bytes. */
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
      '/api/notes',
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

/** Posts of devices in their own formats. */
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
