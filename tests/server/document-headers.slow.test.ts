import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server';
import { PAGES } from '../support/sources';

/** Pages, other spellings of one, and addresses that would run as scripts. */
const ADDRESSES = [...PAGES, '/chart/', '/CHART', '/%3Cscript%3E', '/chart?range=%3Cscript%3Ehacked()'];

/** Returns the sources of each directive of the Content-Security-Policy. */
function policyOf(answer: Response): Record<string, string> {
  const policy = answer.headers.get('Content-Security-Policy') ?? '';
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

describe.each([{ ALLOW_EMBED: 'false' }, { ALLOW_EMBED: 'true' }])('%o', (env) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env });
  });
  afterAll(() => server.stop());

  test.each(ADDRESSES)(
    '%s has all security headers and a new nonce, and can be framed only if ALLOW_EMBED allows this chart',
    async (path) => {
      const isOpen = env.ALLOW_EMBED === 'true' && /^\/chart\/?$/i.test(new URL(path, server.url).pathname);
      const answers = await Promise.all([fetch(server.url + path), fetch(server.url + path)]);
      const nonces = answers.map((answer) => {
        const { headers } = answer;
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
        expect(headers.get('Referrer-Policy')).toBe('no-referrer');
        expect(headers.get('Permissions-Policy')).toContain('camera=()');
        expect(headers.get('Cache-Control')).toBe('private, no-cache');
        expect(headers.get('Vary')).toBe('*');
        expect(headers.get('Airboard-Build')).toMatch(/^\w{16}$/);
        const policy = policyOf(answer);
        expect(policy['frame-ancestors']).toBe(isOpen ? '*' : "'none'");
        expect(headers.get('X-Frame-Options')).toBe(isOpen ? null : 'DENY');
        expect(policy).toMatchObject({
          'default-src': "'none'",
          'base-uri': "'none'",
          'form-action': "'self'",
        });
        expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe-|\*(?!$)|https?:/);
        return /^'self' 'nonce-([\w+/=]{20,})'$/.exec(policy['script-src'] ?? '')?.[1];
      });
      expect(nonces[0]).toBeTruthy();
      expect(nonces[0]).not.toBe(nonces[1]);
      const html = (await answers[0]?.text()) ?? '';
      const scripts = html.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(script).toContain(`nonce="${nonces[0]}"`);
      expect(html).not.toMatch(/<script>|\son\w+=|hacked\(\)<|javascript:/i);
    },
  );

  test.each(['/favicon.svg', '/robots.txt', '/api/data', '/healthz', '/api/nothing'])(
    '%s has X-Content-Type-Options: nosniff',
    async (path) => {
      expect((await fetch(server.url + path)).headers.get('X-Content-Type-Options')).toBe('nosniff');
    },
  );
});
