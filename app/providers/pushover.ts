import { LINK_TEXT, shortened } from './chat-text';
import { isUrgent, type Provider } from './provider';

/** The most characters of a title, a message and a link: https://pushover.net/api#limits */
const MOST = { title: 250, message: 1024, url: 512 };

/** Pushover, with the key of a user or a group and the token of an application: https://pushover.net/api */
export const pushover: Provider = {
  name: 'Pushover',
  example: 'pushover://USER_KEY:TOKEN',
  scheme: 'pushover',
  urlOf(rest) {
    const [, user, token] = /^(\w+):(\w+)$/.exec(rest) ?? [];
    if (!user || !token) {
      return "must be pushover://, the user's key, a colon and the token of an application";
    }
    return new URL(`https://${user}:${token}@api.pushover.net/1/messages.json`);
  },
  request(event, url) {
    const messages = new URL(url);
    messages.username = messages.password = '';
    return {
      url: messages,
      body: {
        user: url.username,
        token: url.password,
        title: shortened(event.title, MOST.title),
        message: shortened(event.text, MOST.message),
        // 1 is high: it sounds in the phone's quiet hours too.
        priority: isUrgent(event) ? 1 : 0,
        ...(event.url && event.url.length <= MOST.url && { url: event.url, url_title: LINK_TEXT }),
      },
    };
  },
  /** A refused message would be refused again. 429 means that the month's messages are used up. */
  read({ status, headers }) {
    if (status < 400 || status >= 500) return null;
    if (status !== 429) return { isPermanent: true };
    const reset = Number(headers.get('X-Limit-App-Reset'));
    return { retryAfterSeconds: reset > 0 ? Math.max(0, reset - Date.now() / 1000) : undefined };
  },
};
