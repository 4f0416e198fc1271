import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';
import { METRICS, type MetricField } from './app/readings/metric';

/** The colours of the metrics' lines, which are named after their fields. */
function metricColors(scheme: 'light' | 'dark') {
  const colors = METRICS.map(({ field, color }) => [field, color[scheme]]);
  return Object.fromEntries(colors) as Record<MetricField, string>;
}

/**
 * All colours of the pages. Each name is a CSS variable with a light and a dark value, which components, the
 * chart and tests use. Every ink has a contrast of at least 4.5:1 on its surfaces in both schemes
 * (tests/palette.test.ts).
 */
export const palette = {
  light: {
    canvas: '#f6f7f9',
    surface: '#ffffff',
    line: '#e3e7ec',
    ink: '#14181f',
    muted: '#5b6675',
    accent: '#0b5cad',
    'accent-ink': '#ffffff',
    good: '#ddf4e7',
    'good-ink': '#0f6b45',
    moderate: '#fdeeda',
    'moderate-ink': '#8f4700',
    poor: '#fde7e4',
    'poor-ink': '#a3201a',
    rise: '#13703a',
    fall: '#b42318',
    ...metricColors('light'),
    'zone-good': '#e8f6ee',
    'zone-moderate': '#fdf1e0',
    'zone-poor': '#fdeae8',
    hatch: '#5b66754d',
    'shade-good-1': '#d9f1e4',
    'shade-good-2': '#b3e1ca',
    'shade-good-3': '#8ccfae',
    'shade-moderate-1': '#eca440',
    'shade-moderate-2': '#d0801c',
    'shade-moderate-3': '#a75b0c',
    'shade-poor-1': '#d0473c',
    'shade-poor-2': '#a8241d',
    'shade-poor-3': '#780f12',
  },
  dark: {
    canvas: '#0d1117',
    surface: '#151b23',
    line: '#27303b',
    ink: '#e9eef5',
    muted: '#93a0b0',
    accent: '#7cb8f5',
    'accent-ink': '#0b1a29',
    good: '#10291f',
    'good-ink': '#7fdfae',
    moderate: '#33230d',
    'moderate-ink': '#ffbe74',
    poor: '#38161a',
    'poor-ink': '#ffaaa4',
    rise: '#6fdc97',
    fall: '#ff938b',
    ...metricColors('dark'),
    'zone-good': '#10241d',
    'zone-moderate': '#2b2113',
    'zone-poor': '#331a1d',
    hatch: '#93a0b04d',
    'shade-good-1': '#17392c',
    'shade-good-2': '#1f5642',
    'shade-good-3': '#2a7859',
    'shade-moderate-1': '#b3781f',
    'shade-moderate-2': '#da9833',
    'shade-moderate-3': '#fcc56c',
    'shade-poor-1': '#d9493e',
    'shade-poor-2': '#f6705f',
    'shade-poor-3': '#ffa598',
  },
};

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
        '@media screen and (prefers-color-scheme: dark)': { ':root:not([data-print])': variables('dark') },
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
