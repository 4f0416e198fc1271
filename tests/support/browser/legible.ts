import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

/** The rules that depend on the colour scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const SERIOUS = ['serious', 'critical'];

/**
 * Returns the violations that axe finds in a light and a dark scheme and in forced colours, as `rule: element`. The
 * page must prefer reduced motion, so that no colour is in transition.
 */
export async function violationsInAnyScheme(page: Page, impacts = SERIOUS): Promise<string[]> {
  const light = await violationsOn(page, impacts);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violationsOn(page, impacts, COLOR_RULES);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  const forced = await violationsOn(page, impacts, COLOR_RULES);
  await page.emulateMedia({ forcedColors: 'none' });
  return [
    ...light,
    ...dark.map((violation) => `dark: ${violation}`),
    ...forced.map((violation) => `forced colours: ${violation}`),
  ];
}

/** Returns the violations that axe finds in the page's scheme, of all rules or of these. */
export async function violationsOn(page: Page, impacts = SERIOUS, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (runOnly) =>
      // Otherwise axe describes each element of the other results, which takes most of its time.
      (window as unknown as { axe: Axe }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => impacts.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The common name of a colour. */
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

/** A text on a canvas, in pixels from its top left. */
interface WrittenText {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The texts on a canvas since it was last cleared. */
interface Written {
  /** In pixels. */
  width: number;
  texts: WrittenText[];
}

/** Records the positions of later texts on the page's only canvas. Runs in a page, before it draws. */
export function noteTexts(): void {
  const { prototype } = CanvasRenderingContext2D;
  const { clearRect, fillText } = prototype;
  const written: Written = { width: 0, texts: [] };
  Object.assign(window, { written });
  prototype.clearRect = function (...box) {
    Object.assign(written, { width: this.canvas.clientWidth, texts: [] });
    clearRect.apply(this, box);
  };
  prototype.fillText = function (text, x, y) {
    const transform = this.getTransform();
    const scale = this.canvas.width / this.canvas.clientWidth;
    const size = this.measureText(text);
    const corners = [
      { x: x - size.actualBoundingBoxLeft, y: y - size.actualBoundingBoxAscent },
      { x: x + size.actualBoundingBoxRight, y: y + size.actualBoundingBoxDescent },
    ].map((corner) => transform.transformPoint(corner));
    const [across, down] = [corners.map((corner) => corner.x / scale), corners.map(({ y }) => y / scale)];
    written.texts.push({
      text,
      left: Math.min(...across),
      right: Math.max(...across),
      top: Math.min(...down),
      bottom: Math.max(...down),
    });
    fillText.call(this, text, x, y);
  };
}

const writtenOn = (page: Page) => page.evaluate(() => (window as unknown as { written: Written }).written);

/** Returns the texts that are cut off at the left or right edge of the canvas. */
export async function cutTexts(page: Page): Promise<string[]> {
  const { texts, width } = await writtenOn(page);
  return texts.filter(({ left, right }) => left < -0.5 || right > width + 0.5).map(({ text }) => text);
}

/** Returns the pairs of overlapping texts, as `a, b`. */
export async function coveredTexts(page: Page): Promise<string[]> {
  const { texts } = await writtenOn(page);
  const isApart = (a: WrittenText, b: WrittenText) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  return texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter((b) => !isApart(a, b))
      .map((b) => `${a.text}, ${b.text}`),
  );
}
