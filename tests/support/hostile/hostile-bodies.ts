import fc from 'fast-check';

/** Markup that would run if a page contained it unescaped. */
export const MARKUP = [
  '<script>hacked()</script>',
  '"><img src=x onerror=hacked()>',
  '</script><script>hacked()',
];

const bytes = (text: string) => new TextEncoder().encode(text);
const unicode = fc.string({ unit: 'binary', maxLength: 20 });

/** Numbers as text: huge, tiny, precise, and text that only looks like a number. */
export const numberText = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '-0',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '1.',
    '.5',
    '+1',
    '01',
  ),
  fc.nat(400).map((digits) => `9${'9'.repeat(digits)}`),
  fc.constantFrom('1,5', '１２', '٣', ' 12 ', '\u00a012', '1e', '--1', '9007199254740993'),
);
const jsonText = fc.oneof(
  { weight: 6, arbitrary: numberText },
  { weight: 4, arbitrary: numberText.map((text) => JSON.stringify(text)) },
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '{"valueOf": 1}',
    ...MARKUP.map((text) => JSON.stringify(text)),
  ),
  unicode.map((text) => JSON.stringify(text)),
);
const memberName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('co2', 'voc') },
  fc.constantFrom('__proto__', 'constructor', 'id', 'created_at', 'CO2', 'co2 ', 'toString', '', ...MARKUP),
  unicode,
);
/** JSON objects built member by member, so that a name can appear twice. */
const objectText = fc
  .array(fc.tuple(memberName, jsonText), { maxLength: 6 })
  .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
const readingText = fc
  .tuple(jsonText, jsonText, fc.array(fc.tuple(memberName, jsonText), { maxLength: 2 }))
  .map(([co2, voc, more]) => {
    const rest = more.map(([name, value]) => `,${JSON.stringify(name)}:${value}`).join('');
    return `{"co2":${co2},"voc":${voc}${rest}}`;
  });
const deepText = fc
  .tuple(fc.nat(8000), fc.constantFrom(['[', ']'], ['{"co2":', '}'], ['[{"voc":', '}]']), fc.boolean())
  .map(
    ([depth, [open, close], isClosed]) => `${open?.repeat(depth)}1${isClosed ? close?.repeat(depth) : ''}`,
  );

/** Bodies of posts: readings valid and not, other JSON, broken JSON, bytes, and sizes around the limit. */
export const hostileBodies = fc.oneof(
  { weight: 10, arbitrary: readingText.map(bytes) },
  { weight: 5, arbitrary: objectText.map(bytes) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 5 }).map(bytes) },
  { weight: 1, arbitrary: deepText.map(bytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(readingText, fc.nat(40)).map(([text, cut]) => bytes(text.slice(0, -cut))),
  },
  { weight: 1, arbitrary: readingText.map((text) => bytes(`\ufeff${text}`)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 16_300, max: 16_500 })
      .map((n) => bytes(`{"co2":1,"voc":2,"a":"${'x'.repeat(n)}"}`)),
  },
);
