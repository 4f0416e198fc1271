import { escapeMarkdown, LINK_TEXT, linkTarget, withoutPath } from './chat-text';
import type { Provider } from './provider';

/** Mattermost's incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost: Provider = {
  name: 'Mattermost',
  example: 'mattermost+https://HOST/hooks/…',
  scheme: 'mattermost+http',
  fault: withoutPath,
  request({ title, text, url: link }, url) {
    const lines = [
      `**${escapeMarkdown(title)}**`,
      escapeMarkdown(text),
      link && `[${LINK_TEXT}](${linkTarget(link)})`,
    ];
    return { url, body: { text: lines.filter(Boolean).join('\n') } };
  },
};
