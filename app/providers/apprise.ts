import type { AlertEvent } from './alert-event';
import { isUrgent, type Provider } from './provider';

const REASONS: Record<number, string> = {
  204: 'there is no configuration with this key',
  424: 'a service failed, or none is for this message: if they have tags, add ?tag=all or one of them. Others may have the message, so it is not sent again',
};

/**
 * An Apprise API server with a stored configuration: `POST /notify/KEY`, https://github.com/caronc/apprise-api#api-details.
 * Its answers aren't those of other providers: 204 is a failure.
 */
export const apprise: Provider = {
  name: 'Apprise',
  example: 'apprise://HOST/KEY',
  scheme: 'apprise',
  fault: ({ pathname }, scheme) =>
    /\/[\w-]{1,128}$/.test(pathname)
      ? null
      : `must end with the key of a configuration, like ${scheme}://apprise.example.org/my-key`,
  request(event, url) {
    const notify = new URL(url);
    notify.pathname = url.pathname.replace(/(?:\/notify)?\/([\w-]+)$/, '/notify/$1');
    notify.search = '';
    const tag = url.searchParams.get('tag');
    return {
      url: notify,
      body: {
        title: event.title,
        body: event.url ? `${event.text}\n${event.url}` : event.text,
        type: typeOf(event),
        format: 'text',
        ...(tag && { tag }),
      },
      headers: { Accept: 'application/json' },
    };
  },
  read({ status }) {
    const note = REASONS[status];
    // A configuration that is missing may be added within the day.
    if (status === 204) return { isFailed: true, note };
    return [400, 406, 424, 431].includes(status) ? { isPermanent: true, note } : null;
  },
};

function typeOf(event: AlertEvent): 'info' | 'success' | 'warning' | 'failure' {
  if (event.kind === 'test') return 'info';
  if (isUrgent(event)) return 'failure';
  return event.kind === 'ended' || event.kind === 'aired' ? 'success' : 'warning';
}
