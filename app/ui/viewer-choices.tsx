import { useState } from 'react';
import { atBase, cookiePath } from '../base-path';
import { METRICS, METRICS_IN_FAHRENHEIT, type Metric } from '../readings/metric';
import { useBeforePaint, useHydrated } from './hydration';
import { NotFramed } from './not-framed';

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The choices that this browser remembers. Null follows the system's colours, and the unit of the viewer's country. */
export interface ViewerChoices {
  colors: Scheme | null;
  temperature: 'c' | 'f' | null;
}

/** Reads the choices from a `Cookie` header, or from `document.cookie`. */
export function choicesIn(cookies: string): ViewerChoices {
  const chosenIn = <T extends string>(name: string, known: readonly T[]): T | null => {
    const value = new RegExp(`(?:^|;) *${name}=([^;]*)`).exec(cookies)?.[1]?.trim();
    return known.find((each) => each === value) ?? null;
  };
  return { colors: chosenIn('colors', SCHEMES), temperature: chosenIn('temperature', ['c', 'f']) };
}

const YEAR_SECONDS = 31_536_000;

function remember(name: keyof ViewerChoices, value: string | null): void {
  const age = value === null ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context.
  document.cookie = `${name}=${value ?? ''}; Path=${cookiePath()}; Max-Age=${age}; SameSite=Lax`;
}

/** Returns when the browser takes the colour of a scheme for its own bars. */
export function mediaOf(scheme: Scheme, chosen: Scheme | null | undefined): string {
  if (!chosen) return `(prefers-color-scheme: ${scheme})`;
  return scheme === chosen ? 'all' : 'not all';
}

/** Shows the page in a scheme. The server does the same for a document (root.tsx). */
function applyColors(chosen: Scheme | null): void {
  const { documentElement: root } = document;
  if (chosen) root.dataset.scheme = chosen;
  else delete root.dataset.scheme;
  const metas = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]');
  for (const [i, meta] of metas.entries()) meta.media = mediaOf(SCHEMES[i] ?? 'light', chosen);
}

/** The viewer's choices, and the function that changes them. */
interface Chosen {
  choices: ViewerChoices;
  choose(next: Partial<ViewerChoices>): void;
  /** True if the viewer's country uses °F. */
  isFahrenheitUsual: boolean;
}

/** Keeps the viewer's choices. `sent` are those that the server rendered, which a page from the browser's cache may have from earlier. */
export function useChoices(sent: ViewerChoices, isFahrenheitUsual: boolean): Chosen {
  const [choices, show] = useState(sent);
  useBeforePaint(() => {
    const kept = choicesIn(document.cookie);
    applyColors(kept.colors);
    show((before) => (JSON.stringify(kept) === JSON.stringify(before) ? before : kept));
  }, []);
  const choose = (next: Partial<ViewerChoices>) => {
    for (const name of ['colors', 'temperature'] as const) {
      const value = next[name];
      if (value !== undefined) remember(name, value);
    }
    if (next.colors !== undefined) applyColors(next.colors);
    show((before) => ({ ...before, ...next }));
  };
  return { choices, choose, isFahrenheitUsual };
}

/** Returns all metrics in the viewer's units. */
export function metricsFor({ choices: { temperature }, isFahrenheitUsual }: Chosen): readonly Metric[] {
  const isFahrenheit = temperature === null ? isFahrenheitUsual : temperature === 'f';
  return isFahrenheit ? METRICS_IN_FAHRENHEIT : METRICS;
}

const SELECT_LOOK =
  'min-h-6 cursor-pointer rounded-md border border-line bg-surface px-1 text-ink hover:border-accent disabled:cursor-auto';

interface ChoicesBarProps extends Chosen {
  /** True if this browser has the `READ_KEY`. */
  isReadKeyNeeded: boolean;
}

/**
 * The choice of colours and of the temperature's unit, at the end of each page, and the button that ends reading. Lies in
 * the page's bottom padding.
 */
export function ChoicesBar({ choices, choose, isFahrenheitUsual, isReadKeyNeeded }: ChoicesBarProps) {
  const isHydrated = useHydrated();
  const temperature = choices.temperature ?? (isFahrenheitUsual ? 'f' : 'c');
  return (
    <NotFramed>
      <div
        className={`-mb-8 flex flex-wrap items-end justify-end gap-x-4 text-xs text-muted print:hidden ${isReadKeyNeeded ? 'min-h-8' : 'h-8 overflow-hidden'}`}
      >
        {isReadKeyNeeded && (
          <form method="post" action={atBase('/read-key')}>
            <button type="submit" name="forget" value="true" className={SELECT_LOOK}>
              Forget the key
            </button>
          </form>
        )}
        <label className="flex items-center gap-1.5 noscript:hidden">
          Colours
          <select
            value={choices.colors ?? ''}
            disabled={!isHydrated}
            onChange={({ target }) =>
              choose({ colors: SCHEMES.find((each) => each === target.value) ?? null })
            }
            className={SELECT_LOOK}
          >
            <option value="">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <label className="flex items-center gap-1.5 noscript:hidden">
          Degrees
          <select
            value={temperature}
            disabled={!isHydrated}
            onChange={({ target }) => choose({ temperature: target.value === 'f' ? 'f' : 'c' })}
            className={SELECT_LOOK}
          >
            <option value="c">°C</option>
            <option value="f">°F</option>
          </select>
        </label>
      </div>
    </NotFramed>
  );
}
