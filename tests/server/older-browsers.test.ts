import { readdirSync, readFileSync } from 'node:fs';
import postcss, { type AtRule, type ChildNode, type Declaration } from 'postcss';
import { expect, test } from 'vitest';

/** Returns the files of the built pages with an extension, by name. */
function builtFiles(extension: string): [name: string, text: string][] {
  const names = readdirSync('build/client', { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(extension))
    .map((name) => [name, readFileSync(`build/client/${name}`, 'utf8')]);
}

/** Functions that app/missing-functions.ts adds. Workers don't have them. */
const ADDED = /\.(findLast|findLastIndex|toReversed|hasOwn)\(/;

/** Things that Chrome 92, Safari 15.6 or Firefox 115 lack, and that nothing adds. */
const LACKING = [
  /\.(toSorted|toSpliced|with|groupBy|fromAsync|withResolvers|throwIfAborted|getOrInsert\w*)\(/,
  /\.(isWellFormed|toWellFormed|checkVisibility|canParse|isSubsetOf|symmetricDifference|scrollIntoViewIfNeeded)\(/,
  /\b(AbortSignal\.(any|timeout)|Promise\.try|URL\.parse|RegExp\.escape|Iterator\.from|Intl\.supportedValuesOf)\b/,
  /\bIntl\.(DurationFormat|Segmenter)\b/,
  /\bstructuredClone\(/,
  /["'`](longOffset|shortOffset|longGeneric|shortGeneric)["'`]/,
  // Safari before 16.4 can't parse a script with a lookbehind.
  /\(\?<[=!]/,
];

function lackingIn(name: string, text: string): string[] {
  const isWorker = /worker/.test(name);
  return [...LACKING, ...(isWorker ? [ADDED] : [])].flatMap((thing) => {
    const [found] = thing.exec(text) ?? [];
    return found ? [`${name}: ${found}`] : [];
  });
}

test('finds what an older browser lacks', () => {
  expect(lackingIn('a.js', 'x.toSorted(),/(?<=T)a/')).toEqual(['a.js: .toSorted(', 'a.js: (?<=']);
  expect(lackingIn('a.js', 'x.findLast(y)')).toEqual([]);
  expect(lackingIn('service-worker.js', 'x.findLast(y)')).toEqual(['service-worker.js: .findLast(']);
});

test('scripts use no function that Chrome 92, Safari 15.6 or Firefox 115 lacks', () => {
  const scripts = builtFiles('.js');
  expect(scripts.map(([name]) => name)).toContain('service-worker.js');
  expect(scripts.flatMap(([name, text]) => lackingIn(name, text))).toEqual([]);
});

/** Returns true inside an at-rule with these parameters. */
function isInside(node: ChildNode, params: RegExp): boolean {
  const { parent } = node;
  if (!parent || parent.type === 'root') return false;
  const { name, params: own } = parent as AtRule;
  return (
    (parent.type === 'atrule' && params.test(`@${name} ${own}`)) || isInside(parent as ChildNode, params)
  );
}

function isLacking(declaration: Declaration): boolean {
  const { prop, value } = declaration;
  if (/^(translate|rotate|scale)$/.test(prop)) return true;
  // Chrome 92 ignores an empty fallback, as of Tailwind's `touch-pan-y`, `ring` and `grayscale`: name the property instead.
  if (/var\(--[\w-]+,\)/.test(value)) return true;
  if (/color-mix\(/.test(value)) return !isInside(declaration, /^@supports.*color-mix\(/);
  if (/\dcq[a-z]/.test(value)) return !isInside(declaration, /^@container|^@supports \(width:1cqi\)/);
  return false;
}

test('styles have no layers and no `:has()`, and fallbacks for container queries and `color-mix`', () => {
  const styles = builtFiles('.css');
  expect(styles).not.toEqual([]);
  const lacking: string[] = [];
  for (const [, text] of styles) {
    const root = postcss.parse(text);
    root.walkAtRules('layer', (rule) => void lacking.push(`@layer ${rule.params}`));
    root.walkAtRules('media', ({ params }) => void (/[<>]/.test(params) && lacking.push(`@media ${params}`)));
    root.walkRules(/:has\(/, ({ selector }) => void lacking.push(selector));
    root.walkDecls((declaration) => void (isLacking(declaration) && lacking.push(String(declaration))));
  }
  expect(lacking).toEqual([]);
});
