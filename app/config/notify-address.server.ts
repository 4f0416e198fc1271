/** The providers with their scheme for `http:`, and what an address must have besides a host. `https:` adds an `s`. */
const PROVIDERS = [
  { kind: 'webhook', scheme: 'http' },
  { kind: 'ntfy', scheme: 'ntfy', needs: 'a topic' },
  { kind: 'slack', scheme: 'slack+http', needs: 'a path' },
  { kind: 'mattermost', scheme: 'mattermost+http', needs: 'a path' },
  { kind: 'discord', scheme: 'discord+http', needs: 'a path' },
  { kind: 'gotify', scheme: 'gotify+http', needs: 'a token' },
  { kind: 'alertmanager', scheme: 'alertmanager+http' },
] as const;

interface Scheme {
  kind: (typeof PROVIDERS)[number]['kind'];
  protocol: 'http:' | 'https:';
  needs?: 'a topic' | 'a path' | 'a token';
}

const SCHEMES: Record<string, Scheme> = Object.fromEntries(
  PROVIDERS.flatMap(({ scheme, ...provider }): [string, Scheme][] => [
    [scheme, { ...provider, protocol: 'http:' }],
    [`${scheme}s`, { ...provider, protocol: 'https:' }],
  ]),
);

const KNOWN = [...Object.keys(SCHEMES).map((scheme) => `${scheme}://`), 'mailto:'].join(', ');

/** One word of `NOTIFY_URLS`, taken apart. */
export type NotifyAddress = { kind: 'mail'; recipients: string[] } | { kind: Scheme['kind']; url: URL };

/**
 * Takes an address apart.
 *
 * @throws Error with what it needs, which shows none of its secrets
 */
export function parseNotifyAddress(text: string): NotifyAddress {
  const scheme = schemeOf(text);
  if (/[,;]($|[a-z][a-z+]*:\/\/|mailto:)/i.test(text)) {
    throw new Error('must be separated from the next one by a space alone');
  }
  if (scheme === 'mailto') return { kind: 'mail', recipients: recipientsOf(text) };
  const rule = SCHEMES[scheme];
  if (!rule) throw new Error(`must begin with one of ${KNOWN}`);
  const rest = text.slice(scheme.length + 1);
  // `new URL('http:host')` and `new URL('http:///host')` would be accepted.
  if (!/^\/\/[^/]/.test(rest) || !URL.canParse(rule.protocol + rest)) {
    throw new Error(`must be an address like ${scheme}://example.org`);
  }
  const url = new URL(rule.protocol + rest);
  if (url.port === '0') throw new Error('must have another port: nothing can be reached at port 0');
  url.hash = '';
  if (rule.needs === 'a topic' && !/^\/[-\w]{1,64}$/.test(url.pathname)) {
    throw new Error(`must end with a topic, like ${scheme}://ntfy.sh/my-topic`);
  }
  if (rule.needs === 'a path' && url.pathname === '/') {
    throw new Error('must have the path that the incoming webhook was created with');
  }
  if (rule.needs === 'a token' && !url.searchParams.get('token')) {
    throw new Error("must end with ?token= and an application's token");
  }
  return { kind: rule.kind, url };
}

/** Returns an address for people: scheme and host, or the host of the mail, without what could be secret. */
export function hideSecrets(text: string): string {
  const scheme = schemeOf(text);
  if (scheme === 'mailto') {
    const host = /@([\w.-]+)(?=$|[,?])/.exec(text)?.[1];
    return host ? `mailto:…@${host}` : 'mailto:…';
  }
  const authority = /^[^:]*:\/\/([^/?#\\]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // A password with a slash or a question mark would make its beginning look like a host.
  const isHost =
    /^([\p{L}\p{N}_.-]+|\[[\da-f:.]+\])(:\d+)?$/iu.test(host) &&
    !text.slice(text.indexOf(host)).includes('@');
  const rule = SCHEMES[scheme];
  if (!rule) return '…';
  // Without a host, a topic or a token would stand in its place.
  const isSure = !rule.needs || /[.:]/.test(host) || /^[^:]*:\/\/[^/?#]+[/?#]./.test(text);
  return isHost && isSure ? `${scheme}://${host}/…` : `${scheme}://…`;
}

const schemeOf = (text: string) => /^([a-z][a-z+]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';

/** A plain address, without a name, comments or quotes: nothing of it can become a header or another command. */
const MAIL_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)*$/;

/** Returns true for one plain mail address. */
export const isMailAddress = (text: string) => MAIL_ADDRESS.test(text);

function recipientsOf(text: string): string[] {
  const example = 'must be mail addresses like mailto:ann@example.org,bob@example.org';
  let recipients: string[];
  try {
    recipients = text.slice('mailto:'.length).split(',').map(decodeURIComponent);
  } catch {
    throw new Error(example);
  }
  if (!recipients.every(isMailAddress)) throw new Error(example);
  return recipients;
}

/** A mail server, and the address that mails come from. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the start. Otherwise STARTTLS is used if the server offers it, unless `ignoreTLS`. */
  secure: boolean;
  /** True for this machine, whose mail server often has a certificate that nobody vouches for. */
  ignoreTLS: boolean;
  /** True if there is a password, which is never sent to another machine without TLS. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
  from: string;
}

/**
 * Takes `SMTP_URL` apart: `smtp://` or `smtps://`, perhaps a user and a password, and `?from=` unless the user is a mail
 * address.
 *
 * @throws Error with what it needs, which shows none of its secrets
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = /^smtps?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url?.hostname || !['', '/'].includes(url.pathname) || url.hash) {
    throw new Error(
      'must be an address like smtps://user:password@mail.example.org (percent-encode :, /, @, ? and # of the password)',
    );
  }
  const user = percentDecode(url.username);
  const from = url.searchParams.get('from') ?? user;
  if (!isMailAddress(from)) throw new Error('must end with ?from= and the mail address that mails come from');
  const secure = url.protocol === 'smtps:';
  const auth = user ? { user, pass: percentDecode(url.password) } : undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isThisMachine = /^(localhost|127\.[\d.]+|::1)$/i.test(host);
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ignoreTLS: isThisMachine,
    requireTLS: Boolean(auth) && !isThisMachine,
    auth,
    from,
  };
}

/** Decodes percent-encoding; a text with a `%` that isn't any stands for itself. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
