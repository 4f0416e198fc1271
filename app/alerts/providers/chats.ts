import type { AlertEvent, OutgoingRequest } from '../alert-event';

const LINK_TEXT = 'Show the history';

/** Slack's incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
  const lines = [`*${escapeSlack(title)}*`, escapeSlack(text), link && `<${linkTarget(link)}|${LINK_TEXT}>`];
  return {
    url,
    body: { text: lines.filter(Boolean).join('\n'), unfurl_links: false, unfurl_media: false },
  };
}

/** Mattermost's incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export function mattermostRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
  const lines = [
    `**${escapeMarkdown(title)}**`,
    escapeMarkdown(text),
    link && `[${LINK_TEXT}](${linkTarget(link)})`,
  ];
  return { url, body: { text: lines.filter(Boolean).join('\n') } };
}

/** With this flag, Discord shows no link previews. */
const SUPPRESS_EMBEDS = 1 << 2;

/**
 * Discord's webhook, with mentions turned off: https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export function discordRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
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
}

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Keeps a text from mentioning people (`@all`, `<!channel>`) or becoming a link. Any client can name a sensor, and
 * chats that imitate each other's webhooks differ in what counts as a mention or a link.
 */
function withoutMentions(text: string): string {
  return text.replace(/[@<]|:\/\/|(?<=\p{L})\.(?=\p{L})/gu, `$&${ZERO_WIDTH_SPACE}`);
}

/** Escapes Markdown, so that a sensor's name can't be a link or a mention. */
export function escapeMarkdown(text: string): string {
  return withoutMentions(text).replace(/[\\`*_{}[\]()#+\-.!|~<>]/g, '\\$&');
}

/** The three characters that Slack reads as control characters: https://docs.slack.dev/messaging/formatting-message-text */
const SLACK_CONTROL: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Slack can't escape formatting characters, so similar characters replace them. */
const SLACK_FORMAT: Record<string, string> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' };

/**
 * Makes Slack show a text without formatting. An underscore within a word, as in `living_room`, formats nothing and
 * stays.
 */
export function escapeSlack(text: string): string {
  const plain = text
    .replace(/[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (character) => SLACK_FORMAT[character] ?? '')
    .replace(/[&<>]/g, (character) => SLACK_CONTROL[character] ?? '');
  return withoutMentions(plain);
}

/** Escapes the URL of a link, because a sensor's name may contain a parenthesis. */
function linkTarget(url: string): string {
  return url.replace(/[()<>|]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
