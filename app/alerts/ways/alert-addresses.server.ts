import { createHash } from 'node:crypto';
import type { AlertSettings } from '../../config/alert-settings.server';
import { hideSecrets, parseNotifyAddress } from '../../config/notify-address.server';
import type { AlertAddress, AlertEvent } from '../alert-event';
import { alertmanagerRequest } from './alertmanager';
import { secretsOf } from './answer-text.server';
import { discordRequest } from './discord';
import { gotifyRequest } from './gotify';
import { sendMail } from './mail.server';
import { mattermostRequest } from './mattermost';
import { ntfyRequest } from './ntfy';
import { postRequest } from './post-request.server';
import { slackRequest } from './slack';
import { webhookRequest } from './webhook.server';

/** How each kind of address, besides mail, is told an event. */
const REQUESTS = {
  webhook: webhookRequest,
  ntfy: ntfyRequest,
  slack: slackRequest,
  mattermost: mattermostRequest,
  discord: discordRequest,
  gotify: gotifyRequest,
  alertmanager: alertmanagerRequest,
};

/** Returns the addresses of `NOTIFY_URLS`. */
export function alertAddresses({
  urls,
  secret,
  smtpUrl,
}: Pick<AlertSettings, 'urls' | 'secret' | 'smtpUrl'>): AlertAddress[] {
  const labels = urls.map(hideSecrets);
  return urls.map((text, index) => ({
    key: createHash('sha256').update(text).digest('hex').slice(0, 16),
    label: distinctLabel(labels, index),
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
  return (event: AlertEvent, signal) => postRequest(REQUESTS[kind](event, url, secret), secrets, signal);
}

/** Numbers the labels of addresses which differ in their secrets alone. */
function distinctLabel(labels: string[], index: number): string {
  const label = labels[index] as string;
  if (labels.indexOf(label) === labels.lastIndexOf(label)) return label;
  return `${label} (${labels.slice(0, index + 1).filter((other) => other === label).length})`;
}
