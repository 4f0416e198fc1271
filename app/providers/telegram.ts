import { shortened, withoutMentions } from './chat-text';
import type { Provider } from './provider';

/** The most UTF-16 units of a message: https://core.telegram.org/bots/api#sendmessage */
const MOST_CHARACTERS = 4096;

interface Answer {
  description?: string;
  parameters?: { retry_after?: number; migrate_to_chat_id?: number };
}

/**
 * A chat of Telegram, through a bot: https://core.telegram.org/bots/api#sendmessage. Texts are sent without `parse_mode`, so
 * that a sensor's name formats nothing.
 */
export const telegram: Provider = {
  name: 'Telegram',
  example: 'telegram://123456:TOKEN@CHAT_ID',
  scheme: 'telegram',
  urlOf(rest) {
    const [, token, chat, thread] =
      /^(\d+:[\w-]+)@(-?\d+|@?[a-z]\w+)(?:\?message_thread_id=(\d+))?$/i.exec(
        rest.replace(/%3A/i, ':').replace(/%40/i, '@'),
      ) ?? [];
    if (!token || !chat) {
      return "must be telegram://, the bot's token such as 123456:ABC-def, @ and the number of the chat or the name of the channel";
    }
    const url = new URL(`https://api.telegram.org/bot${token}/sendMessage`);
    url.searchParams.set('chat_id', /^-?\d/.test(chat) ? chat : `@${chat.replace('@', '')}`);
    if (thread) url.searchParams.set('message_thread_id', thread);
    return url;
  },
  request({ title, text, url: link }, url) {
    const message = new URL(url);
    message.search = '';
    const lines = [withoutMentions(title), withoutMentions(text), link];
    return {
      url: message,
      body: {
        ...Object.fromEntries(url.searchParams),
        text: shortened(lines.filter(Boolean).join('\n'), MOST_CHARACTERS),
        link_preview_options: { is_disabled: true },
      },
    };
  },
  /** A chat that became a supergroup has another number. Other errors of 4xx, such as a blocked bot, stay. */
  read({ status, body }, url) {
    if (status < 400 || status >= 500) return null;
    const { description = '', parameters } = answerOf(body);
    if (parameters?.migrate_to_chat_id) {
      const movedTo = new URL(url);
      movedTo.searchParams.set('chat_id', String(parameters.migrate_to_chat_id));
      return {
        movedTo,
        note: `the group became a supergroup: put ${parameters.migrate_to_chat_id} as its number into NOTIFY_URLS`,
      };
    }
    if (status === 429) return { retryAfterSeconds: parameters?.retry_after };
    return { isPermanent: true, note: description };
  },
};

function answerOf(body: string): Answer {
  try {
    return (JSON.parse(body) as Answer | null) ?? {};
  } catch {
    return {};
  }
}
