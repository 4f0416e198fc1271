import { z } from 'zod';

/** The host of a CSP source (CSP Level 3, section 2.3.1) with an optional port. It knows no IPv6 addresses. */
const HOST = /^[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?$/;

const EXPECTED = 'must be true, false, or addresses like https://ha.example:8123, separated by commas';

/** `true`, `false`, or the origins of the sites that may show pages in frames. */
export const embedSetting = z.string().transform((text, context): 'true' | 'false' | readonly string[] => {
  if (text === 'true' || text === 'false') return text;
  const origins = text.split(/[\s,]+/).filter(Boolean);
  for (const problem of new Set(origins.map(problemOf)))
    if (problem) context.addIssue({ code: 'custom', message: `${EXPECTED}${problem}` });
  return origins;
});

/** Returns an address's fault and its correction, or null. Doesn't repeat the address, which may contain a password. */
function problemOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return '. Each begins with https:// or http://';
  if (url.hostname.startsWith('['))
    return ". Write a host name for an IPv6 address, which browsers don't allow here";
  if (!HOST.test(url.host)) return '. A host has letters, digits, hyphens and dots, and no * for several';
  return url.origin === text ? null : `. Write ${url.origin}`;
}
