import type { AlertEvent } from '../alert-event';
import type { OutgoingRequest } from './outgoing-request';
import { isUrgent } from './urgency';

/** Short codes of emoji: https://docs.ntfy.sh/emojis/ */
const TAGS = { good: 'white_check_mark', moderate: 'warning', poor: 'rotating_light', silent: 'mute' };

/** A message as JSON, which goes to the root of the server: https://docs.ntfy.sh/publish/#publish-as-json */
export function ntfyRequest(event: AlertEvent, url: URL): OutgoingRequest {
  const server = new URL(url);
  server.pathname = '/';
  return {
    url: server,
    body: {
      topic: url.pathname.slice(1),
      title: event.title,
      message: event.text,
      // 3 is the default, 4 is high: a longer vibration, and a pop-over.
      priority: isUrgent(event) ? 4 : 3,
      tags: [event.kind === 'test' ? 'bell' : event.kind === 'ended' ? TAGS.good : TAGS[event.state]],
      ...(event.url && { click: event.url }),
    },
  };
}
