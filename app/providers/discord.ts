import { escapeMarkdown, LINK_TEXT, linkTarget, withoutPath } from './chat-text';
import type { Provider } from './provider';

/** With this flag, Discord shows no link previews. */
const SUPPRESS_EMBEDS = 1 << 2;

/**
 * Discord's webhook, with mentions turned off: https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export const discord: Provider = {
  name: 'Discord',
  example: 'discord+https://discord.com/api/webhooks/…',
  scheme: 'discord+http',
  fault: withoutPath,
  request({ title, text, url: link }, url) {
    const lines = [
      `**${escapeMarkdown(title)}**`,
      escapeMarkdown(text),
      link && `[${LINK_TEXT}](<${linkTarget(link)}>)`,
    ];
    return {
      url,
      body: {
        content: lines.filter(Boolean).join('\n'),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      },
    };
  },
};
