import { isUrgent, type Provider } from './provider';

/** Gotify, with the token of an application: https://gotify.net/docs/pushmsg */
export const gotify: Provider = {
  name: 'Gotify',
  example: 'gotify+https://HOST?token=…',
  scheme: 'gotify+http',
  fault: ({ searchParams }) =>
    searchParams.get('token') ? null : "must end with ?token= and an application's token",
  request(event, url) {
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
  },
};
