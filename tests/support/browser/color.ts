import type { Locator } from 'playwright-core';

/** The everyday name of a colour. */
export type ColorName = 'green' | 'orange' | 'red' | 'neutral' | 'other';

/** Returns the name of an element's computed colour. */
export async function colorOf(
  element: Locator,
  property: 'color' | 'backgroundColor' | 'borderTopColor',
): Promise<ColorName> {
  return nameOf(await element.evaluate((node, name) => getComputedStyle(node)[name], property));
}

function nameOf(css: string): ColorName {
  const [red = 0, green = 0, blue = 0] = (css.match(/[\d.]+/g) ?? []).map(Number);
  const highest = Math.max(red, green, blue);
  const spread = highest - Math.min(red, green, blue);
  // The neutral text and surface colours have a slight tint, so grey is relative to brightness.
  if (spread / Math.max(highest, 255 - highest) < 0.09) return 'neutral';
  const sixths = highest === red ? green - blue : highest === green ? blue - red : red - green;
  const start = highest === red ? 0 : highest === green ? 120 : 240;
  const hue = (start + (60 * sixths) / spread + 360) % 360;
  if (hue < 15 || hue >= 345) return 'red';
  if (hue >= 20 && hue < 50) return 'orange';
  return hue >= 90 && hue < 170 ? 'green' : 'other';
}
