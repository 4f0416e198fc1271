import { expect, test } from 'vitest';
import { canBeSensor, nameLook, newNameFault } from '../../app/readings/sensor-name.js';

test.each(['Kitchen', '=1+1', 'Küche 🍳', 'Wohnküche (1. OG)', '日本 🌬', 'CO₂ im Büro', '١', 'x'.repeat(64)])(
  'a new sensor can be called %j',
  (name) => {
    expect(newNameFault(name)).toBeNull();
  },
);

test.each([
  ['Kitchen\ufe0f', `contains U+FE0F, which can't be seen: write "Kitchen"`],
  ['Bed\u200broom', `contains U+200B, which can't be seen: write "Bedroom"`],
  ['Bed\u00adroom', `contains U+00AD, which can't be seen: write "Bedroom"`],
  ['a\u202eb', `contains U+202E, which can't be seen: write "ab"`],
  ['a\u034fb', `contains U+034F, which can't be seen: write "ab"`],
  ['a\u2028b', `contains U+2028, which can't be seen: write "a b"`],
  ['a\u2029b', `contains U+2029, which can't be seen: write "a b"`],
  ['می\u200cخواهم', `contains U+200C, which can't be seen: write "میخواهم"`],
  ['👩\u200d🔬', `contains U+200D, which can't be seen: write "👩🔬"`],
  ['🏴\u{e0062}', `contains U+E0062, which can't be seen: write "🏴"`],
  ['a\u00a0b', 'contains U+00A0, which looks like a plain space: write "a b"'],
  ['a\u3000b', 'contains U+3000, which looks like a plain space: write "a b"'],
  ['a\u2009\u200ab', 'contains U+2009, which looks like a plain space: write "a b"'],
  ['\u3164', "contains U+3164, which can't be seen: choose a name that can be seen"],
  ['\u115f', "contains U+115F, which can't be seen: choose a name that can be seen"],
  ['\u2800', "contains U+2800, which can't be seen: choose a name that can be seen"],
  ['\ufffc', "contains U+FFFC, which can't be seen: choose a name that can be seen"],
  ['\u0301', 'has no letter, digit or symbol: choose a name that can be seen'],
  ['\u0301 \u0301', 'has no letter, digit or symbol: choose a name that can be seen'],
  ['a\ue000', 'contains U+E000, which looks different everywhere: leave it out'],
  ['a\uffff', 'contains U+FFFF, which looks different everywhere: leave it out'],
  ['x'.repeat(65), 'has more than 64 characters'],
  ['a\u001bb', 'has a control character'],
])('a new sensor can not be called %j: it %s', (name, fault) => {
  expect(newNameFault(name)).toBe(fault);
});

test('a stored sensor keeps a name with hidden characters, but not one with control characters', () => {
  expect(['', 'a\u202eb', 'Kitchen\ufe0f', '\u3164', '👩\u200d🔬'].filter(canBeSensor)).toHaveLength(5);
  expect(['a\u001b', 'x'.repeat(100_000), '\ud83c', ' a'].filter(canBeSensor)).toEqual([]);
});

test.each([
  ['Ｋitchen', 'Kitchen'],
  ['oﬀice', 'office'],
  ['Kitchen\ufe0f', 'Kitchen'],
  ['K\u3164itchen', 'Kitchen'],
  ['Living  room', 'Living room'],
  ['Cafe\u0301', 'Café'],
])('%j and %j look the same', (one, other) => {
  expect(nameLook(one)).toBe(nameLook(other));
});

test('upper case and other letters look different', () => {
  expect(new Set(['kitchen', 'Kitchen', 'Kitchen 2', 'Küche', 'Kuche'].map(nameLook)).size).toBe(5);
});
