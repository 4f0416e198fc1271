import type { BrowserContext, Page } from 'playwright-core';

/** The drawing on a chart's canvas since it was last cleared. */
export interface Drawing {
  texts: string[];
  /** The radii of the dots. */
  dots: number[];
  /** The colours of the lines. */
  strokes: string[];
}

/** Records what later pages of the context draw on canvases, since a chart has no elements to query. */
export async function watchCanvas(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { clearRect, fillText, arc, stroke } = prototype;
    const drawings = new WeakMap<HTMLCanvasElement, Drawing>();
    const drawingOf = (canvas: HTMLCanvasElement) => drawings.get(canvas) ?? startDrawing(canvas);
    function startDrawing(canvas: HTMLCanvasElement): Drawing {
      const drawing = { texts: [], dots: [], strokes: [] };
      drawings.set(canvas, drawing);
      return drawing;
    }
    prototype.clearRect = function (...box) {
      startDrawing(this.canvas);
      clearRect.apply(this, box);
    };
    prototype.fillText = function (text, x, y) {
      drawingOf(this.canvas).texts.push(String(text));
      fillText.call(this, text, x, y);
    };
    prototype.arc = function (x, y, radius, start, end) {
      drawingOf(this.canvas).dots.push(radius);
      arc.call(this, x, y, radius, start, end);
    };
    prototype.stroke = function (...path: unknown[]) {
      drawingOf(this.canvas).strokes.push(String(this.strokeStyle));
      stroke.apply(this, path as [Path2D]);
    };
    Object.assign(window, { drawingOf });
  });
}

/** Returns the drawing on the page's only canvas. */
export function drawingOn(page: Page, canvas = 'canvas'): Promise<Drawing> {
  return page.evaluate((selector) => {
    const canvas = document.querySelector<HTMLCanvasElement>(selector);
    if (!canvas) return { texts: [], dots: [], strokes: [] };
    return (window as unknown as { drawingOf(canvas: HTMLCanvasElement): Drawing }).drawingOf(canvas);
  }, canvas);
}

/** The position of a chart on its canvas, in pixels from its top left. */
export interface ChartPlace {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** The top and bottom of each zone in view, by level. */
  zones: Record<string, { top: number; bottom: number }>;
}

/** Returns the position of the page's only chart, from its figure. */
export async function chartPlace(page: Page): Promise<ChartPlace> {
  const { area = '', zones = '' } = await page
    .locator('figure[data-area]')
    .evaluate((figure) => ({ ...figure.dataset }));
  const [left = 0, top = 0, right = 0, bottom = 0] = area.split(' ').map(Number);
  const heights = zones.split(', ').map((zone) => {
    const [level = '', zoneTop, zoneBottom] = zone.split(' ');
    return [level, { top: Number(zoneTop), bottom: Number(zoneBottom) }] as const;
  });
  return { left, top, right, bottom, zones: Object.fromEntries(heights) };
}

/**
 * Returns the colours in a part of the page's only canvas, as `#rrggbb`, without transparent pixels.
 *
 * @param box in pixels from the top left of the canvas
 */
export function colorsIn(
  page: Page,
  box: { left: number; top: number; width: number; height: number },
): Promise<string[]> {
  return page.evaluate(({ left, top, width, height }) => {
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const scale = canvas.width / canvas.clientWidth;
    const pixels = (size: number) => Math.round(size * scale);
    // From a copy, because Chromium warns about a canvas that is read more than once.
    const copy = document.createElement('canvas');
    copy.width = pixels(width);
    copy.height = pixels(height);
    const context = copy.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(canvas, -pixels(left), -pixels(top));
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const colors = new Set<string>();
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] !== 255) continue;
      const channels = [...data.slice(i, i + 3)].map((channel) => channel.toString(16).padStart(2, '0'));
      colors.add(`#${channels.join('')}`);
    }
    return [...colors];
  }, box);
}

/** Returns the labels along the time axis, such as `9:05:30`. */
export async function timeAxis(page: Page): Promise<string[]> {
  return (await drawingOn(page)).texts.filter((text) => /^\d+:\d+:\d+$/.test(text));
}
