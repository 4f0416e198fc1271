import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';

/**
 * All colours of the pages. Each name is a CSS variable with a light and a dark value, which components, the
 * chart and tests use. Every ink has a contrast of at least 4.5:1 on its surfaces in both schemes
 * (tests/palette.test.ts).
 */
export const palette = {
  light: {
    canvas: '#f4f6f8',
    surface: '#ffffff',
    line: '#cfd6dd',
    ink: '#12181f',
    muted: '#52606d',
    accent: '#0b5cad',
    'accent-ink': '#ffffff',
    good: '#dcf5e4',
    'good-ink': '#0f5129',
    moderate: '#ffe6c7',
    'moderate-ink': '#7a3600',
    poor: '#fddfde',
    'poor-ink': '#8c1515',
    rise: '#13703a',
    fall: '#b42318',
    co2: '#0b5cad',
    voc: '#a3287a',
  },
  dark: {
    canvas: '#0e1216',
    surface: '#171d23',
    line: '#36414c',
    ink: '#e9eef3',
    muted: '#9dabb8',
    accent: '#7cb8f5',
    'accent-ink': '#0b1a29',
    good: '#0e2f1c',
    'good-ink': '#86e3a8',
    moderate: '#3b2408',
    'moderate-ink': '#ffbe74',
    poor: '#431414',
    'poor-ink': '#ffaaa4',
    rise: '#6fdc97',
    fall: '#ff938b',
    co2: '#7cb8f5',
    voc: '#f08acb',
  },
};

const names = Object.keys(palette.light) as (keyof typeof palette.light)[];
const variables = (scheme: keyof typeof palette) =>
  Object.fromEntries(names.map((name) => [`--${name}`, palette[scheme][name]]));

export default {
  content: ['./app/**/*.{ts,tsx}'],
  theme: {
    extend: { colors: Object.fromEntries(names.map((name) => [name, `var(--${name})`])) },
  },
  plugins: [
    plugin(({ addBase }) =>
      addBase({
        ':root': { 'color-scheme': 'light dark', ...variables('light') },
        '@media (prefers-color-scheme: dark)': { ':root': variables('dark') },
      }),
    ),
  ],
} satisfies Config;
