import type { AlertEvent } from '../alert-event';
import { escapeMarkdown, linkTarget } from './chat-text';
import type { OutgoingRequest } from './outgoing-request';

/** Mattermost's incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export function mattermostRequest({ title, text, url: link }: AlertEvent, url: URL): OutgoingRequest {
  const lines = [
    `**${escapeMarkdown(title)}**`,
    escapeMarkdown(text),
    link && `[Show the history](${linkTarget(link)})`,
  ];
  return { url, body: { text: lines.filter(Boolean).join('\n') } };
}
