import type { AlertEvent } from '../alert-event';
import { linkTarget, withoutMentions } from './chat-text';
import type { OutgoingRequest } from './outgoing-request';

/** Slack's incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export function slackRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
  const lines = [
    `*${escapeControl(title)}*`,
    escapeControl(text),
    link && `<${linkTarget(link)}|Show the history>`,
  ];
  return {
    url,
    body: { text: lines.filter(Boolean).join('\n'), unfurl_links: false, unfurl_media: false },
  };
}

/** The three characters that Slack reads as control characters: https://docs.slack.dev/messaging/formatting-message-text */
function escapeControl(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return withoutMentions(escaped);
}
