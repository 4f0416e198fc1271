import { createHash } from 'node:crypto';
import type { AlertSettings } from '../../config/alert-settings.server';
import { hideSecrets, parseNotifyAddress } from '../../config/notify-address.server';
import { at } from '../../readings/at';
import type { AlertAddress } from '../alert-event';
import { alertmanagerRequest } from './alertmanager';
import { discordRequest, mattermostRequest, slackRequest } from './chats';
import { sendMail } from './mail.server';
import { gotifyRequest, ntfyRequest } from './push';
import { postRequest, secretsOf } from './send.server';
import { webhookRequest } from './webhook.server';

/** Builds the request for each provider except mail. */
const REQUESTS = {
  webhook: webhookRequest,
  ntfy: ntfyRequest,
  slack: slackRequest,
  mattermost: mattermostRequest,
  discord: discordRequest,
  gotify: gotifyRequest,
  alertmanager: alertmanagerRequest,
};

export function alertAddresses({
  urls,
  secret,
  smtpUrl,
}: Pick<AlertSettings, 'urls' | 'secret' | 'smtpUrl'>): AlertAddress[] {
  const labels = urls.map(hideSecrets);
  return urls.map((text, index) => ({
    key: createHash('sha256').update(text).digest('hex').slice(0, 16),
    label: distinctLabel(labels, index),
    takesAll: parseNotifyAddress(text).kind === 'alertmanager',
    send: sendingTo(text, secret, smtpUrl ?? ''),
  }));
}

function sendingTo(text: string, secret: string | null, smtpUrl: string): AlertAddress['send'] {
  const address = parseNotifyAddress(text);
  if (address.kind === 'mail') {
    return (event, signal) => sendMail(event, address.recipients, smtpUrl, signal);
  }
  const { kind, url } = address;
  const secrets = secretsOf(url);
  return (event, signal) => postRequest(REQUESTS[kind](event, url, secret), secrets, signal);
}

/** Numbers labels that would otherwise be equal. */
function distinctLabel(labels: string[], index: number): string {
  const label = at(labels, index);
  if (labels.indexOf(label) === labels.lastIndexOf(label)) return label;
  return `${label} (${labels.slice(0, index + 1).filter((other) => other === label).length})`;
}
