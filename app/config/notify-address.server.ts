import type { Provider } from '../providers/provider';
import { PROVIDERS } from '../providers/providers.server';

interface Scheme {
  provider: Provider;
  protocol: 'http:' | 'https:';
}

const SCHEMES: Record<string, Scheme> = Object.fromEntries(
  PROVIDERS.flatMap((provider): [string, Scheme][] =>
    provider.urlOf
      ? [[provider.scheme, { provider, protocol: 'https:' }]]
      : [
          [provider.scheme, { provider, protocol: 'http:' }],
          [`${provider.scheme}s`, { provider, protocol: 'https:' }],
        ],
  ),
);

const KNOWN = [...Object.keys(SCHEMES).map((scheme) => `${scheme}://`), 'mailto:'].join(', ');

/** A parsed entry of `NOTIFY_URLS`. */
export type NotifyAddress = { recipients: string[] } | { provider: Provider; url: URL };

/**
 * Parses an address.
 *
 * @throws Error that names the unmet requirement, without the address's secrets
 */
export function parseNotifyAddress(text: string): NotifyAddress {
  const scheme = schemeOf(text);
  if (/[,;]($|[a-z][a-z+]*:\/\/|mailto:)/i.test(text)) {
    throw new Error('must be separated from the next one by a space only');
  }
  if (scheme === 'mailto') return { recipients: recipientsOf(text) };
  const rule = SCHEMES[scheme];
  if (!rule) throw new Error(`must begin with one of ${KNOWN}`);
  const rest = text.slice(scheme.length + 1);
  if (rule.provider.urlOf) {
    const url = rule.provider.urlOf(rest.replace(/^\/\//, ''));
    if (typeof url === 'string') throw new Error(url);
    return { provider: rule.provider, url };
  }
  // `new URL` would accept `http:host` and `http:///host`.
  if (!/^\/\/[^/]/.test(rest) || !URL.canParse(rule.protocol + rest)) {
    throw new Error(`must be an address like ${scheme}://example.org`);
  }
  const url = new URL(rule.protocol + rest);
  if (url.port === '0') throw new Error('must have another port: nothing can be reached at port 0');
  url.hash = '';
  const fault = rule.provider.fault?.(url, scheme);
  if (fault) throw new Error(fault);
  return { provider: rule.provider, url };
}

/**
 * Returns an address to show to people: the scheme and host, or the host of the mail address, without possible secrets.
 */
export function hideSecrets(text: string): string {
  const scheme = schemeOf(text);
  if (scheme === 'mailto') {
    const host = /@([\w.-]+)(?=$|[,?])/.exec(text)?.[1];
    return host ? `mailto:…@${host}` : 'mailto:…';
  }
  const authority = /^[^:]*:\/\/([^/?#\\]*)/.exec(text)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // If a password contains a slash or a question mark, its beginning looks like a host.
  const isHost =
    /^([\p{L}\p{N}_.-]+|\[[\da-f:.]+\])(:\d+)?$/iu.test(host) &&
    !text.slice(text.indexOf(host)).includes('@');
  const rule = SCHEMES[scheme];
  if (!rule) return '…';
  if (rule.provider.urlOf) return `${scheme}://…`;
  // If the host is missing, a topic or a token is in its place.
  const isSure = !rule.provider.fault || /[.:]/.test(host) || /^[^:]*:\/\/[^/?#]+[/?#]./.test(text);
  return isHost && isSure ? `${scheme}://${host}/…` : `${scheme}://…`;
}

const schemeOf = (text: string) => /^([a-z][a-z+]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';

/** A plain address without a name, comments or quotes, so that no part of it can become a header or an SMTP command. */
const MAIL_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)*$/;

const isMailAddress = (text: string) => MAIL_ADDRESS.test(text);

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

/** A mail server and the sender's mail address. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the start. Otherwise STARTTLS is used if the server offers it, unless `ignoreTLS`. */
  secure: boolean;
  /** True for this machine, whose mail server often has a self-signed certificate. */
  ignoreTLS: boolean;
  /** True if there is a password and the server is another machine: the password is never sent there without TLS. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
  from: string;
}

/**
 * Parses `SMTP_URL`: `smtp://` or `smtps://`, optionally a user and a password, and `?from=` unless the user is a mail
 * address.
 *
 * @throws Error that names the unmet requirement, without the URL's secrets
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

/** Decodes percent-encoding. Returns a text with an invalid `%` unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
