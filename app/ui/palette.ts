import { METRICS, type MetricField } from '../readings/metric';

/** The colours of the metrics' lines, which are named after their fields. */
function metricColors(scheme: 'light' | 'dark') {
  const colors = METRICS.map(({ field, color }) => [field, color[scheme]]);
  return Object.fromEntries(colors) as Record<MetricField, string>;
}

/**
 * All colours of the pages. Each name is a CSS variable with a light and a dark value, which components, the
 * chart and tests use. The colours of rooms (`room-1`) differ for the colour-blind too. Every ink has a contrast of at least 4.5:1 on its surfaces in both schemes
 * (tests/ui/palette.test.ts).
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
    'room-1': '#15477c',
    'room-2': '#ce400c',
    'room-3': '#0f8366',
    'room-4': '#9d4bbb',
    'room-5': '#5f3800',
    'room-6': '#0d0d0d',
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
    'room-1': '#379df6',
    'room-2': '#d65f29',
    'room-3': '#92fbab',
    'room-4': '#e4c2f8',
    'room-5': '#e8a642',
    'room-6': '#86858e',
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
