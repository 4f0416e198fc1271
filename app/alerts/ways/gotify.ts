import type { AlertEvent } from '../alert-event';
import type { OutgoingRequest } from './outgoing-request';
import { isUrgent } from './urgency';

/** A message of the application that has the token: https://gotify.net/docs/pushmsg */
export function gotifyRequest(event: AlertEvent, url: URL): OutgoingRequest {
  const message = new URL(url);
  message.pathname = `${url.pathname.replace(/\/$/, '')}/message`;
  message.search = '';
  return {
    url: message,
    body: {
      title: event.title,
      message: event.text,
      // Gotify's app pops up from 8 on, and makes a sound from 4 on.
      priority: isUrgent(event) ? 8 : 5,
      ...(event.url && { extras: { 'client::notification': { click: { url: event.url } } } }),
    },
    // In a header, the token is in no proxy's log.
    headers: { 'X-Gotify-Key': url.searchParams.get('token') ?? '' },
  };
}
