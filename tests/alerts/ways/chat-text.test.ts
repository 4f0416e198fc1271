import { expect, test } from 'vitest';
import { escapeMarkdown, withoutMentions } from '../../../app/alerts/ways/chat-text';

const visible = (text: string) => text.replaceAll('\u200b', '');

test.each(['https://evil.example/x', 'evil.example', 'www.evil.example/x', '@all', '<!channel>'])(
  'the name %s is neither a link nor a mention, and reads the same',
  (name) => {
    for (const text of [withoutMentions(name), escapeMarkdown(name)])
      expect(text).not.toMatch(/:\/\/\w|\w\.[a-z]|\w\\\.[a-z]|@\w|<!/);
    expect(visible(withoutMentions(name))).toBe(name);
  },
);

test('values with decimals stay as they are', () => {
  expect(withoutMentions('CO2 is 2100.5 PPM, above 2000.')).toBe('CO2 is 2100.5 PPM, above 2000.');
});
