import { expect, test } from 'vitest';
import { escapeMarkdown } from '../../app/providers/chat-text';
import { escapeSlack } from '../../app/providers/slack';

const visible = (text: string) => text.replaceAll('\u200b', '');

test.each(['https://evil.example/x', 'evil.example', 'www.evil.example/x', '@all', '<!channel>'])(
  'the name %s is neither a link nor a mention',
  (name) => {
    for (const text of [escapeSlack(name), escapeMarkdown(name)])
      expect(text).not.toMatch(/:\/\/\w|\w\.[a-z]|\w\\\.[a-z]|@\w|<!/);
  },
);

test.each(['*bold*', '_italic_', '~struck~', '`code`', '```code```', 'a *b* _c d_ e'])(
  'the name %s formats nothing in any chat',
  (name) => {
    expect(escapeSlack(name)).not.toMatch(/[*~`]|\b_|_\b/);
    expect(escapeMarkdown(name)).not.toMatch(/(?<!\\)[*_~`]/);
  },
);

test('Slack gets usual names and values unchanged', () => {
  for (const text of ['living_room', 'CO2 is 2100.5 PPM, above 2000.', 'Büro 2 (Süd)'])
    expect(visible(escapeSlack(text))).toBe(text);
});
