import { expect, test } from 'vitest';
import { LEVELS, type Level } from '../../app/readings/level/level';
import { METRICS } from '../../app/readings/metric';
import { AIRING_OPACITY } from '../../app/ui/chart/draw/draw-airings';
import { BAND_OPACITY } from '../../app/ui/chart/draw/draw-lines';
import { ROOM_LOOKS } from '../../app/ui/chart/room-looks';
import { palette } from '../../app/ui/palette';

type Scheme = keyof typeof palette;
type Name = keyof (typeof palette)['light'];

/** Every text colour, with the surfaces it is used on. */
const INKS: Partial<Record<Name, Name[]>> = {
  ink: ['canvas', 'surface'],
  muted: ['canvas', 'surface', 'zone-good', 'zone-moderate', 'zone-poor'],
  accent: ['canvas', 'surface'],
  'accent-ink': ['accent'],
  'good-ink': ['good'],
  'moderate-ink': ['moderate'],
  'poor-ink': ['poor'],
  rise: ['surface', 'good', 'moderate', 'poor'],
  fall: ['surface', 'good', 'moderate', 'poor'],
  ...Object.fromEntries(METRICS.map(({ field }) => [field, ['surface']])),
  ...Object.fromEntries(ROOM_LOOKS.map(({ color }) => [color, ['surface']])),
};

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

const pairs = (['light', 'dark'] as Scheme[]).flatMap((scheme) =>
  Object.entries(INKS).flatMap(([ink, surfaces]) =>
    surfaces.map((surface) => [ink as Name, surface, scheme] as const),
  ),
);

test('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test.each(pairs)('%s on %s has a contrast of at least 4.5:1 when %s', (ink, surface, scheme) => {
  expect(contrast(palette[scheme][ink], palette[scheme][surface])).toBeGreaterThanOrEqual(4.5);
});

test('both schemes have the same names, and all except the line, the hatch and the shades are tested inks or surfaces', () => {
  const names = Object.keys(palette.light) as Name[];
  expect(Object.keys(palette.dark)).toEqual(names);
  const surfaces = Object.values(INKS).flat();
  const others = names.filter((name) => !(name in INKS) && !surfaces.includes(name));
  expect(others).toEqual(['line', 'hatch', ...LEVELS.flatMap(shadesOf)]);
});

const shadesOf = (level: Level) => [1, 2, 3].map((depth) => `shade-${level}-${depth}` as Name);

test.each(['light', 'dark'] as const)('a deeper shade of a level has more contrast when %s', (scheme) => {
  const colors = palette[scheme];
  for (const level of LEVELS) {
    const grounds = [colors.surface, ...shadesOf(level).map((name) => colors[name])];
    for (const [i, ground] of grounds.slice(1).entries()) {
      expect(contrast(ground, colors.surface)).toBeGreaterThan(
        1.15 * contrast(grounds[i] as string, colors.surface),
      );
    }
  }
});

test.each(['light', 'dark'] as const)(
  'the deepest good shade and the mildest moderate one differ without hues when %s',
  (scheme) => {
    const colors = palette[scheme];
    expect(contrast(colors['shade-good-3'], colors['shade-moderate-1'])).toBeGreaterThan(1.15);
  },
);

test('each level has its own surface in both schemes', () => {
  for (const scheme of ['light', 'dark'] as Scheme[]) {
    const { good, moderate, poor, surface } = palette[scheme];
    expect(new Set([good, moderate, poor, surface]).size).toBe(4);
  }
});

const LINES = ['co2', 'voc'] as const;
const ROOM_COLORS = ROOM_LOOKS.map(({ color }) => color);
const ZONES = ['zone-good', 'zone-moderate', 'zone-poor'] as const;

/** Returns the colour of a translucent layer of a line's colour on a zone: by default, of its band. */
function blend(line: string, zone: string, opacity = BAND_OPACITY): string {
  const channel = (at: number) => {
    const [over = 0, under = 0] = [line, zone].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round(opacity * over + (1 - opacity) * under)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

test.each(['light', 'dark'] as const)(
  'both lines have a contrast of at least 3:1 on each zone, on both bands and on an airing when %s',
  (scheme) => {
    const colors = palette[scheme];
    for (const zone of ZONES) {
      for (const below of [colors[zone], blend(colors.co2, colors[zone], AIRING_OPACITY)]) {
        const withOne = LINES.map((line) => blend(colors[line], below));
        const withBoth = blend(colors.voc, blend(colors.co2, below));
        for (const line of LINES) {
          for (const ground of [below, ...withOne, withBoth]) {
            expect(contrast(colors[line], ground)).toBeGreaterThanOrEqual(3);
          }
        }
      }
    }
  },
);

test('zones differ from each other and from the surface in both schemes', () => {
  for (const scheme of ['light', 'dark'] as Scheme[]) {
    const colors = palette[scheme];
    expect(new Set([colors.surface, ...ZONES.map((zone) => colors[zone])]).size).toBe(4);
  }
});

test.each(['light', 'dark'] as const)(
  'the lines of rooms have a contrast of at least 3:1 on each zone when %s',
  (scheme) => {
    const colors = palette[scheme];
    for (const room of ROOM_COLORS)
      for (const zone of ZONES) expect(contrast(colors[room], colors[zone])).toBeGreaterThanOrEqual(3);
  },
);

/** Two colours that are further apart look different. Both schemes' colours were searched for with a hill climb. */
const LEAST_DIFFERENCE = 0.1;

/** How cones that are missing change linear colours: Machado, Oliveira and Fernandes, 2009, for protanopia, deuteranopia, tritanopia. */
const MISSING_CONES = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
];

/** Returns a colour in Oklab, in which distances are as people see them, without a kind of cones. */
function seenAs(color: string, matrix: readonly number[]): number[] {
  const linear = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = multiply(matrix, linear).map((value) => Math.max(0, value)) as [number, number, number];
  const cones = multiply(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
      0.2817188376, 0.6299787005,
    ],
    [r, g, b],
  ).map(Math.cbrt);
  return multiply(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371,
      0.7827717662, -0.808675766,
    ],
    cones,
  );
}

const multiply = (matrix: readonly number[], vector: readonly number[]) =>
  [0, 3, 6].map((row) => vector.reduce((sum, value, i) => sum + value * (matrix[row + i] ?? 0), 0));

test.each(['light', 'dark'] as const)(
  'the colours of rooms differ for the colour-blind too when %s',
  (scheme) => {
    for (const matrix of MISSING_CONES) {
      const seen = ROOM_COLORS.map((room) => seenAs(palette[scheme][room], matrix));
      for (const [i, a] of seen.entries())
        for (const b of seen.slice(i + 1))
          expect(Math.hypot(...a.map((value, n) => value - (b[n] ?? 0)))).toBeGreaterThan(LEAST_DIFFERENCE);
    }
  },
);
