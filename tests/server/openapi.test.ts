import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADERS } from '../../app/openapi/document.server';
import { runSql } from '../support/readings/database';
import { post } from '../support/server/api';
import {
  type ApiDocument,
  type ApiOperation,
  EXAMPLES,
  type SentExample,
  schemasOf,
  sendExample,
  textOf,
  withoutNumbers,
} from '../support/server/api-document';
import { type RunningServer, startServer } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

let double: SupabaseDouble;
/** A server for each set of settings in the examples. */
let servers: Map<string, RunningServer>;
let document: ApiDocument;
let schemaAt: ReturnType<typeof schemasOf>;

const keyOf = ({ settings = {} }: Partial<SentExample>) => JSON.stringify(settings);
const serverOf = (example: Partial<SentExample>) => servers.get(keyOf(example)) as RunningServer;
const urlOf = (path: string) => serverOf({}).url + path.replace('{serial}', 'ecda3b1eaaaf');

beforeAll(async () => {
  double = await startSupabaseDouble();
  const settings = new Map(EXAMPLES.map((example) => [keyOf(example), example.settings ?? {}]));
  const started = [...settings].map(async ([key, env]): Promise<[string, RunningServer]> => {
    const isHosted = 'SUPABASE_URL' in env;
    return [key, await startServer({ env: isHosted ? double.env : env })];
  });
  servers = new Map(await Promise.all(started));
  document = await (await fetch(urlOf('/api/openapi.json'))).json();
  schemaAt = schemasOf(document);
  // An example asks for the air of a sensor that has been judged.
  await post(urlOf(''), { co2: 612.4, voc: 87.5 });
  const judged = async () => (await fetch(urlOf('/api/air?sensor='))).json();
  await until(async () => (await judged()).length > 0);
});

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await double.stop();
});

const mediaType = (answer: Response) => (answer.headers.get('Content-Type') ?? '').split(';')[0] as string;

/** Sends an example, and checks its answer against the document. */
async function check(example: SentExample): Promise<void> {
  const { method, path, status, type, answer: expected } = example;
  const answer = await sendExample(serverOf(example).url, example);
  const text = await textOf(answer, expected);
  expect([answer.status, text]).toEqual([status, expect.anything()]);
  const response = document.paths[path]?.[method]?.responses[status];
  expect(response).toBeDefined();
  checkHeaders(answer, Object.keys(response?.headers ?? {}));
  if (!response?.content) return expect(text).toBe('');
  expect(Object.keys(response.content)).toContain(mediaType(answer));
  if (type) expect(mediaType(answer)).toBe(type);
  if (typeof expected === 'string') {
    for (const line of expected.split('\n')) expect(withoutNumbers(text)).toContain(withoutNumbers(line));
    return;
  }
  const isValid = schemaAt(
    'paths',
    path,
    method,
    'responses',
    String(status),
    'content',
    mediaType(answer),
    'schema',
  );
  isValid(JSON.parse(text));
  expect(isValid.errors).toBe(null);
  const [actual, documented] = [text, JSON.stringify(expected)].map((json) => {
    const value = JSON.parse(withoutNumbers(json));
    // Node versions name 413 differently.
    if ('title' in value) value.title = '';
    return value;
  });
  expect(actual).toEqual(documented);
}

/** Expects only the headers that the document lists for this answer, including those that programs rely on. */
function checkHeaders({ headers }: Response, documented: string[]): void {
  const sent = Object.keys(HEADERS).filter((name) => headers.has(name));
  expect(documented).toEqual(expect.arrayContaining(sent));
  const needed = ['ETag', 'Retry-After', 'WWW-Authenticate'].filter((name) => documented.includes(name));
  expect(sent).toEqual(expect.arrayContaining(needed));
}

const titleOf = ({ method, path, title, status }: SentExample): [string] => [
  `${method.toUpperCase()} ${path} ${status}: ${title}`,
];
const withTitles = (examples: SentExample[]) =>
  examples.map((example): [string, SentExample] => [...titleOf(example), example]);

/** Examples about the air come first: others store old readings, and the air of their sensors is unknown at first. */
const isOfAir = ({ path }: SentExample) => Number(path === '/api/air');
const withStore = EXAMPLES.filter((example) => !example.isWithoutStore).sort(
  (a, b) => isOfAir(b) - isOfAir(a),
);

describe('each example is answered as documented', () => {
  test.each(withTitles(withStore))('%s', (_, example) => check(example));

  test.each(withTitles(EXAMPLES.filter((example) => example.isWithoutStore)))('%s', async (_, example) => {
    const { databasePath } = serverOf({});
    runSql(
      databasePath,
      'alter table data rename to elsewhere; alter table roll_ups rename to other_place; alter table notes rename to lost; alter table deletions rename to gone',
    );
    try {
      await check(example);
    } finally {
      runSql(
        databasePath,
        'alter table elsewhere rename to data; alter table other_place rename to roll_ups; alter table lost rename to notes; alter table gone rename to deletions',
      );
    }
  });
});

test('each status of each method has an example, except those that are hard to cause', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, ApiOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
  const missing = operations
    .filter(([name]) => !name.startsWith('head '))
    .flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => status !== 'default')
        .filter(([status]) => !EXAMPLES.some((example) => isOf(example, name, status)))
        .map(([status]) => `${name} ${status}`),
    );
  expect(missing.sort()).toEqual([
    'get /api/docs 200',
    'get /api/live 503',
    'get /api/notifications 503',
    'get /api/openapi.json 200',
    'post /api/airrohr 413',
    'post /api/enviro 413',
    'post /api/restore 200',
    'post /api/restore 410',
    'post /api/v2/write 413',
    'post /read-key 413',
    'post /sensors/airgradient:{serial}/measures 413',
    'post /write 413',
  ]);
});

test.each(['/api/data', '/api/airrohr', '/api/enviro', '/sensors/airgradient:{serial}/measures'])(
  'a body over 16 KiB gets the documented 413: %s',
  async (path) => {
    const answer = await fetch(urlOf(path), {
      method: 'POST',
      body: JSON.stringify({ text: 'x'.repeat(16_384) }),
    });
    const isValid = schemaAt(
      'paths',
      path,
      'post',
      'responses',
      '413',
      'content',
      mediaType(answer),
      'schema',
    );
    isValid(await answer.json());
    expect([answer.status, isValid.errors]).toEqual([413, null]);
  },
);

const isOf = ({ method, path, status }: SentExample, name: string, code: string) =>
  `${method} ${path}` === name && String(status) === code;

test('the document has exactly the paths of the server', async () => {
  const { detail } = await (await fetch(urlOf('/api/nothing'))).json();
  const known = detail.match(/\/[\w.:{}/-]*\w/g);
  expect(Object.keys(document.paths).sort()).toEqual(known.sort());
});

test('each path has exactly the methods of the server', async () => {
  for (const [path, item] of Object.entries(document.paths)) {
    const answer = await fetch(urlOf(path), { method: 'PUT' });
    const allowed = answer.headers.get('Allow')?.toLowerCase().split(', ');
    expect([path, Object.keys(item).sort()]).toEqual([path, allowed?.sort()]);
  }
});

/** The query parameters of each path. */
const queryOf = (path: string) =>
  (document.paths[path]?.get?.parameters ?? []).filter((parameter) => parameter.in === 'query');

/** Returns the errors of a query by parameter. */
async function errorsOf(path: string, parameter: string): Promise<Record<string, string>> {
  // The format of rooms needs a span.
  const query =
    path === '/api/rooms' && parameter.startsWith('format=')
      ? `from=2026-01-31T00:00:00Z&${parameter}`
      : parameter;
  const abort = new AbortController();
  const answer = await fetch(urlOf(`${path}?${query}`), { signal: abort.signal });
  const { errors = [] } = answer.status === 400 ? await answer.json() : {};
  abort.abort();
  return Object.fromEntries(errors.map(({ field, detail }: Record<string, string>) => [field, detail]));
}

test('each path has exactly the query parameters of the server', async () => {
  for (const path of Object.keys(document.paths)) {
    const { unknown = '' } = await errorsOf(path, 'unknown=1');
    const taken = unknown.replace(/^.*: (use|this address takes no parameters) ?/, '').match(/\w+/g) ?? [];
    const documented = queryOf(path).map(({ name }) => name);
    expect([path, documented.sort()]).toEqual([path, taken.filter((name) => name !== 'or').sort()]);
  }
});

test('the server accepts values within the bounds of a parameter, and refuses others', async () => {
  for (const path of Object.keys(document.paths)) {
    for (const { name, schema } of queryOf(path)) {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, maxLength, enum: values = [] } = schema;
      const isNumber = schema.type === 'integer';
      const least = isNumber ? [minimum] : [];
      const inside = [...least, ...values, ...(maxLength ? ['x'.repeat(maxLength)] : [])];
      const outside = [
        ...(isNumber ? [minimum - 1, 'x', 1.5] : []),
        ...(maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : []),
        ...(values.length > 0 ? ['other'] : []),
        ...(maxLength ? ['x'.repeat(maxLength + 1)] : []),
      ];
      if (maximum < Number.MAX_SAFE_INTEGER) inside.push(maximum);
      for (const value of inside)
        expect([name, value, await errorsOf(path, `${name}=${value}`)]).not.toHaveProperty(`2.${name}`);
      for (const value of outside)
        expect([name, value, await errorsOf(path, `${name}=${value}`)]).toHaveProperty(`2.${name}`);
    }
  }
});

test('both documents have a cacheable address', async () => {
  const first = await fetch(urlOf('/api/openapi.json'));
  expect(mediaType(first)).toBe('application/json');
  const headers = { 'If-None-Match': first.headers.get('ETag') as string };
  expect((await fetch(urlOf('/api/openapi.json'), { headers })).status).toBe(304);
  const page = await fetch(urlOf('/api/docs'));
  expect([page.status, mediaType(page)]).toEqual([200, 'text/html']);
  expect(page.headers.get('Content-Security-Policy')).toContain("script-src 'none'");
  const html = await page.text();
  for (const path of Object.keys(document.paths)) expect(html).toContain(` ${path}</code>`);
});
