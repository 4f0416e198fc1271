import { isMailAddress } from './notify-address.server';
import { percentDecode } from './percent-decode.server';

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
