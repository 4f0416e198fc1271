/** Texts and links for chats, in which a sensor's name must not format, mention or link anything. */
import type { Provider } from './provider';

export const LINK_TEXT = 'Show the history';

/** The `fault` of a chat's incoming webhook, which is identified by its path. */
export const withoutPath: Provider['fault'] = ({ pathname }) =>
  pathname === '/' ? 'must have the path that the incoming webhook was created with' : null;

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Keeps a text from mentioning people (`@all`, `<!channel>`) or becoming a link. Any client can name a sensor, and
 * chats that imitate each other's webhooks differ in what counts as a mention or a link.
 */
export function withoutMentions(text: string): string {
  return text.replace(/[@<]|:\/\/|(?<=\p{L})\.(?=\p{L})/gu, `$&${ZERO_WIDTH_SPACE}`);
}

/** Cuts a text to at most `most` UTF-16 units, without half a character at its end. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Escapes Markdown, so that a sensor's name can't be a link or a mention. */
export function escapeMarkdown(text: string): string {
  return withoutMentions(text).replace(/[\\`*_{}[\]()#+\-.!|~<>]/g, '\\$&');
}

/** Escapes the URL of a link, because a sensor's name may contain a parenthesis. */
export function linkTarget(url: string): string {
  return url.replace(/[()<>|]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
