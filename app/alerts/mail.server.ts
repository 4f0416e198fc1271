import { parseSmtpUrl } from '../config/notify-address.server';
import { timeLimit } from '../config/time-limit.server.js';
import type { AlertEvent, SendOutcome } from '../providers/alert-event';
import { answerText, failureText, SEND_LIMIT_MS } from './send.server';

/** Sends an event by SMTP as one mail to all recipients. Never rejects. */
export async function sendMail(
  event: AlertEvent,
  recipients: string[],
  smtpUrl: string,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { from, ...server } = parseSmtpUrl(smtpUrl);
  const secrets = [...passwordTexts(server.auth), ...recipients];
  try {
    // Loaded only when needed, because it takes 15 MB.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(server);
    const { rejected, response } = await transport.sendMail({
      from: { name: 'airboard', address: from },
      to: recipients,
      subject: oneLine(event.title),
      text: [event.text, event.url].filter(Boolean).join('\n\n'),
      messageId: `<${event.id}@${from.slice(from.indexOf('@') + 1)}>`,
      // RFC 3834: automatic responders ignore such mails.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: timeLimit(SEND_LIMIT_MS, signal),
    });
    const refused = rejected.length > 0 ? `, refused for ${rejected.length} of ${recipients.length}` : '';
    return { isDelivered: true, text: answerText(`SMTP ${response}${refused}`, secrets) };
  } catch (error) {
    return { isDelivered: false, text: answerText(`SMTP: ${failureText(error)}`, secrets) };
  }
}

/** The password as it is and as SMTP commands encode it, because some servers repeat a refused command. */
function passwordTexts(auth: { user: string; pass: string } | undefined): string[] {
  if (!auth) return [];
  const { user, pass } = auth;
  return [pass, ...[`\0${user}\0${pass}`, pass].map((text) => Buffer.from(text).toString('base64'))];
}

/** A line break in a header would begin another header. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ');
