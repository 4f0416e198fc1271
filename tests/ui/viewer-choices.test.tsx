import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import {
  ChoicesBar,
  choicesIn,
  metricsFor,
  useChoices,
  type ViewerChoices,
} from '../../app/ui/viewer-choices';

test.each<[cookies: string, expected: ViewerChoices]>([
  ['', { colors: null, temperature: null }],
  ['colors=dark', { colors: 'dark', temperature: null }],
  ['sensor=colors%3Ddark; temperature=f;colors=light', { colors: 'light', temperature: 'f' }],
  ['mycolors=dark; colors=blue; temperature=k', { colors: null, temperature: null }],
])('the cookies %j choose %j', (cookies, expected) => {
  expect(choicesIn(cookies)).toEqual(expected);
});

function setCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = text;
}

beforeEach(() => {
  for (const name of ['colors', 'temperature']) setCookie(`${name}=; Max-Age=0`);
  delete document.documentElement.dataset.scheme;
});

function Page({ sent, isFahrenheitUsual = false }: { sent: ViewerChoices; isFahrenheitUsual?: boolean }) {
  const chosen = useChoices(sent, isFahrenheitUsual);
  const unit = metricsFor(chosen).find(({ field }) => field === 'temperature')?.unit;
  return (
    <>
      <ChoicesBar {...chosen} isReadKeyNeeded={false} />
      <p>{`in ${unit}`}</p>
    </>
  );
}

const NONE: ViewerChoices = { colors: null, temperature: null };
const choose = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('a choice of colours changes the page at once, and is remembered until it is the system again', () => {
  render(<Page sent={NONE} />);
  expect(document.documentElement.dataset.scheme).toBeUndefined();
  choose('Colours', 'dark');
  expect([document.documentElement.dataset.scheme, choicesIn(document.cookie).colors]).toEqual([
    'dark',
    'dark',
  ]);
  choose('Colours', '');
  expect([document.documentElement.dataset.scheme, document.cookie]).toEqual([undefined, '']);
});

test('a choice of °C or °F wins over the country', () => {
  render(<Page sent={NONE} isFahrenheitUsual />);
  screen.getByText('in °F');
  choose('Degrees', 'c');
  screen.getByText('in °C');
  expect(choicesIn(document.cookie).temperature).toBe('c');
  choose('Degrees', 'f');
  screen.getByText('in °F');
});

test('a page that the browser kept shows choices of later', () => {
  setCookie('colors=light');
  setCookie('temperature=f');
  render(<Page sent={{ colors: 'dark', temperature: null }} />);
  expect(document.documentElement.dataset.scheme).toBe('light');
  screen.getByText('in °F');
});
