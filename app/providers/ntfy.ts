import type { AlertEvent } from './alert-event';
import { isUrgent, type Provider } from './provider';

/** Emoji short codes: https://docs.ntfy.sh/emojis/ */
const TAGS = { good: 'white_check_mark', moderate: 'warning', poor: 'rotating_light', silent: 'mute' };

function tagOf({ kind, state }: AlertEvent): string {
  if (kind === 'test') return 'bell';
  if (kind === 'aired' || kind === 'ended') return TAGS.good;
  return kind === 'sensor' ? TAGS.moderate : TAGS[state];
}

/** ntfy takes JSON at the server's root: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: Provider = {
  name: 'ntfy',
  example: 'ntfys://ntfy.sh/TOPIC',
  scheme: 'ntfy',
  fault: ({ pathname }, scheme) =>
    /^\/[-\w]{1,64}$/.test(pathname) ? null : `must end with a topic, like ${scheme}://ntfy.sh/my-topic`,
  request(event, url) {
    const server = new URL(url);
    server.pathname = '/';
    return {
      url: server,
      body: {
        topic: url.pathname.slice(1),
        title: event.title,
        message: event.text,
        // 3 is the default; 4 is high, with a longer vibration and a pop-over.
        priority: isUrgent(event) ? 4 : 3,
        tags: [tagOf(event)],
        ...(event.url && { click: event.url }),
      },
    };
  },
};
