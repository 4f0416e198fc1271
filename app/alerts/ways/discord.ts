import type { AlertEvent } from '../alert-event';
import { escapeMarkdown, linkTarget } from './chat-text';
import type { OutgoingRequest } from './outgoing-request';

/** Discord shows no preview of links in a message with this flag. */
const SUPPRESS_EMBEDS = 1 << 2;

/** Discord's webhook, which notifies nobody by name: https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function discordRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
  const lines = [
    `**${escapeMarkdown(title)}**`,
    escapeMarkdown(text),
    link && `[Show the history](<${linkTarget(link)}>)`,
  ];
  return {
    url,
    body: {
      content: lines.filter(Boolean).join('\n'),
      allowed_mentions: { parse: [] },
      flags: SUPPRESS_EMBEDS,
    },
  };
}
