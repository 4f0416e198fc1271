import type { BrowserContext, Page } from 'playwright-core';

/** The contents of a chart's canvas since it was last cleared. */
export interface Drawing {
  texts: string[];
  /** The radii of the dots. */
  dots: number[];
  /** The colours of the lines. */
  strokes: string[];
}

/** Records what later pages of the context draw on canvases; a chart has no elements to query. */
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
export function drawingOn(page: Page): Promise<Drawing> {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    return (window as unknown as { drawingOf(canvas: HTMLCanvasElement): Drawing }).drawingOf(canvas);
  });
}

/** Returns the labels along the time axis, such as `9:05:30`. */
export async function timeAxis(page: Page): Promise<string[]> {
  return (await drawingOn(page)).texts.filter((text) => /^\d+:\d+:\d+$/.test(text));
}
