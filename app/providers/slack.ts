import { LINK_TEXT, linkTarget, withoutMentions, withoutPath } from './chat-text';
import type { Provider } from './provider';

/** Slack's incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Provider = {
  name: 'Slack',
  example: 'slack+https://hooks.slack.com/services/…',
  scheme: 'slack+http',
  fault: withoutPath,
  request({ title, text, url: link }, url) {
    const lines = [
      `*${escapeSlack(title)}*`,
      escapeSlack(text),
      link && `<${linkTarget(link)}|${LINK_TEXT}>`,
    ];
    return {
      url,
      body: { text: lines.filter(Boolean).join('\n'), unfurl_links: false, unfurl_media: false },
    };
  },
};

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
