import type { AlertEvent, OutgoingRequest } from '../alert-event';

/** True if somebody should open a window or check a sensor. */
function isUrgent({ kind, state }: AlertEvent): boolean {
  return (
    (kind === 'entered' || kind === 'reminder' || kind === 'summary') &&
    (state === 'poor' || state === 'silent')
  );
}

/** Emoji short codes: https://docs.ntfy.sh/emojis/ */
const TAGS = { good: 'white_check_mark', moderate: 'warning', poor: 'rotating_light', silent: 'mute' };

function tagOf({ kind, state }: AlertEvent): string {
  if (kind === 'test') return 'bell';
  if (kind === 'aired' || kind === 'ended') return TAGS.good;
  return kind === 'sensor' ? TAGS.moderate : TAGS[state];
}

/** Builds a request for ntfy, which takes JSON at the server's root: https://docs.ntfy.sh/publish/#publish-as-json */
export function ntfyRequest(event: AlertEvent, url: URL): OutgoingRequest {
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
}

/** Builds a request for Gotify, with the token of an application: https://gotify.net/docs/pushmsg */
export function gotifyRequest(event: AlertEvent, url: URL): OutgoingRequest {
  const message = new URL(url);
  message.pathname = `${url.pathname.replace(/\/$/, '')}/message`;
  message.search = '';
  return {
    url: message,
    body: {
      title: event.title,
      message: event.text,
      // Gotify's app makes a sound from 4 on and pops up from 8 on.
      priority: isUrgent(event) ? 8 : 5,
      ...(event.url && { extras: { 'client::notification': { click: { url: event.url } } } }),
    },
    // In a header, because proxies log addresses.
    headers: { 'X-Gotify-Key': url.searchParams.get('token') ?? '' },
  };
}
