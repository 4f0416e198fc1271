const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Keeps a text from notifying people of a chat (`@all`, `<!channel>`) and from being a link (`https://example.org`,
 * `example.org`). Sensors are named by whoever posts, and chats that imitate each other's webhooks differ in what they read
 * as a mention or a link.
 */
export function withoutMentions(text: string): string {
  return text.replace(/[@<]|:\/\/|(?<=\p{L})\.(?=\p{L})/gu, `$&${ZERO_WIDTH_SPACE}`);
}

/** Escapes Markdown, so that a sensor's name can't be a link with another text, and keeps it from notifying people. */
export function escapeMarkdown(text: string): string {
  return withoutMentions(text).replace(/[\\`*_{}[\]()#+\-.!|~<>]/g, '\\$&');
}

/** Returns the address of a link such that nothing in it ends the link: a sensor's name may have a parenthesis. */
export function linkTarget(url: string): string {
  const codes: Record<string, string> = { '(': '%28', ')': '%29', '<': '%3C', '>': '%3E', '|': '%7C' };
  return url.replace(/[()<>|]/g, (character) => codes[character] as string);
}
