import { createHmac } from 'node:crypto';
import type { Provider } from './provider';

/**
 * A webhook by the Standard Webhooks specification, signed if there is a secret:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhook: Provider = {
  name: 'a webhook with JSON',
  example: 'https://HOST/PATH',
  scheme: 'http',
  request(event, url, secret) {
    const body = JSON.stringify({ type: `air.${event.kind}`, timestamp: event.at, data: event });
    // Receivers reject a signature that is more than a few minutes old, so each attempt has its own time.
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers: Record<string, string> = { 'webhook-id': event.id, 'webhook-timestamp': timestamp };
    if (secret) {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
      headers['webhook-signature'] = `v1,${signature}`;
    }
    return { url, body, headers };
  },
};
