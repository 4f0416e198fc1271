import { createHash } from 'node:crypto';
import type { AlertSettings } from '../config/alert-settings.server';
import { hideSecrets, type NotifyAddress, parseNotifyAddress } from '../config/notify-address.server';
import type { AlertAddress } from '../providers/alert-event';
import { at } from '../readings/at';
import { sendMail } from './mail.server';
import { postRequest, secretsOf } from './send.server';

export function alertAddresses({
  urls,
  secret,
  smtpUrl,
}: Pick<AlertSettings, 'urls' | 'secret' | 'smtpUrl'>): AlertAddress[] {
  const labels = urls.map(hideSecrets);
  return urls.map((text, index) => {
    const address = parseNotifyAddress(text);
    return {
      key: createHash('sha256').update(text).digest('hex').slice(0, 16),
      label: distinctLabel(labels, index),
      takesAll: 'provider' in address && address.provider.takesAll,
      send: sendingTo(address, secret, smtpUrl ?? ''),
    };
  });
}

function sendingTo(address: NotifyAddress, secret: string | null, smtpUrl: string): AlertAddress['send'] {
  if ('recipients' in address) {
    return (event, signal) => sendMail(event, address.recipients, smtpUrl, signal);
  }
  const { provider } = address;
  let { url } = address;
  const secrets = secretsOf(url);
  return async (event, signal) => {
    const send = () => postRequest(provider.request(event, url, secret), { provider, url, secrets }, signal);
    const outcome = await send();
    if (!('movedTo' in outcome)) return outcome;
    console.log(`[airboard] notifications: ${provider.name}: ${outcome.text}`);
    url = outcome.movedTo;
    const second = await send();
    return 'movedTo' in second ? { isDelivered: false, text: second.text } : second;
  };
}

/** Numbers labels that would otherwise be equal. */
function distinctLabel(labels: string[], index: number): string {
  const label = at(labels, index);
  if (labels.indexOf(label) === labels.lastIndexOf(label)) return label;
  return `${label} (${labels.slice(0, index + 1).filter((other) => other === label).length})`;
}
