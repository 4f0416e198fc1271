import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server';
import { PAGE_PATHS } from '../support/sources';

const SITES = 'https://ha.example:8123 http://192.168.1.10:8123';

/** The values of `ALLOW_EMBED`, and the sites that each lets show the dashboard and the history, and the chart. */
const SETTINGS = [
  ['', "'none'", "'none'"],
  ['false', "'none'", "'none'"],
  ['true', "'none'", '*'],
  [SITES.replace(' ', ', '), SITES, SITES],
] as const;

describe.each(SETTINGS)('ALLOW_EMBED=%s', (ALLOW_EMBED, ofPages, ofChart) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: { ALLOW_EMBED } });
  });
  afterAll(() => server.stop());

  /** Expects the answer, after redirects, to allow frames on these sites alone. */
  async function expectAncestors(path: string, ancestors: string): Promise<void> {
    const { headers } = await fetch(server.url + path);
    expect(headers.get('Content-Security-Policy'), path).toContain(`; frame-ancestors ${ancestors}`);
    expect(headers.get('Content-Security-Policy')).toMatch(/frame-ancestors [^;]+$/);
    expect(headers.get('X-Frame-Options'), path).toBe(ancestors === "'none'" ? 'DENY' : null);
  }

  test('the dashboard, its wall and the history may be framed by the listed sites, also as an error page', async () => {
    for (const path of [
      '/',
      '/?wall',
      '/?sensor=%00',
      '/history',
      '/history/',
      '/HISTORY',
      '/history?span=x',
    ])
      await expectAncestors(path, ofPages);
  });

  test('the chart may be framed by the listed sites, or with true by all', async () => {
    for (const path of ['/chart', '/chart?range=1HR&wall', '/chart?span=day', '/chart?range=x', '/chart/'])
      await expectAncestors(path, ofChart);
  });

  test('all other pages may not be framed', async () => {
    const others = PAGE_PATHS.filter((path) => !['/', '/chart', '/history'].includes(path));
    expect(others).toContain('/postdata');
    for (const path of [...others, '/api/docs', '/no-page', '/chart/no-page', '/%2Fchart', '/chart%2F'])
      await expectAncestors(path, "'none'");
  });

  test.each(['/_root.data', '/history.data', '/postdata.data'])(
    '%s is data that no browser renders',
    async (path) => {
      const { headers } = await fetch(server.url + path);
      expect(headers.get('Content-Type')).toContain('text/x-script');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    },
  );
});
