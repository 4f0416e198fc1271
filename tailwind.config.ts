import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';
import { METRICS } from './app/readings/metric';
import { palette } from './app/ui/palette';

const names = Object.keys(palette.light) as (keyof typeof palette.light)[];
const variables = (scheme: keyof typeof palette) =>
  Object.fromEntries([
    ...names.map((name) => [`--${name}`, palette[scheme][name]]),
    // For shades of a colour: `rgb(var(--metric-rgb) / 14%)`.
    ...METRICS.map(({ field, color }) => [`--${field}-rgb`, channels(color[scheme])]),
  ]);

/** Returns `11 92 173` for `#0b5cad`. */
const channels = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(' ');

/** Paper: always light, with the colours of backgrounds, without controls. The pressed buttons of a figure are its legend. */
const HIDDEN = { display: 'none !important' };
const PRINT_LOOK = {
  ':root': { 'color-scheme': 'light', 'print-color-adjust': 'exact', '-webkit-print-color-adjust': 'exact' },
  'header, nav, form, input, select, a[download]': HIDDEN,
  'button:not(figure button), figure button[aria-pressed="false"], details:not([open])': HIDDEN,
  canvas: { 'max-width': '100% !important', height: 'auto !important' },
  'section, article, figure, tr': { 'break-inside': 'avoid' },
};

export default {
  content: ['./app/**/*.{ts,tsx}'],
  theme: {
    extend: {
      colors: Object.fromEntries(names.map((name) => [name, `var(--${name})`])),
      maxWidth: { page: '75rem' },
      // A chart among other cards, and one alone on its page. Below the strip of sensors, each fills the rest of the screen.
      height: {
        chart: 'clamp(18rem, 45vh, 30rem)',
        'chart-below-strip': 'clamp(18rem, 100vh - 33rem, 30rem)',
        'lone-chart': 'clamp(18rem, 70vh, 60rem)',
        'lone-chart-below-strip': 'clamp(18rem, 100vh - 18.5rem, 60rem)',
      },
    },
  },
  plugins: [
    plugin(({ addBase }) =>
      addBase({
        ':root': { 'color-scheme': 'light dark', ...variables('light') },
        // The viewer may have chosen a scheme (app/ui/viewer-choices.tsx).
        '@media screen and (prefers-color-scheme: dark)': {
          ':root:not([data-print]):not([data-scheme="light"])': variables('dark'),
        },
        '@media screen': {
          ':root[data-scheme="light"]': { 'color-scheme': 'light' },
          ':root[data-scheme="dark"]:not([data-print])': { 'color-scheme': 'dark', ...variables('dark') },
        },
        '@media print': PRINT_LOOK,
        // The colour of the metric that an element is about. Forced colours leave two lines apart: a link's and a text's.
        ...Object.fromEntries(
          METRICS.map(({ field }) => [
            `[data-metric="${field}"]`,
            { '--metric': `var(--${field})`, '--metric-rgb': `var(--${field}-rgb)` },
          ]),
        ),
        '@media (forced-colors: active)': {
          '[data-metric]': { '--metric': 'CanvasText' },
          '[data-metric="co2"]': { '--metric': 'LinkText' },
        },
      }),
    ),
  ],
} satisfies Config;
