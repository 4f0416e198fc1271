import type { BrowserContext, Page } from 'playwright-core';

/** What stands on the chart's canvas, as it was last drawn. */
export interface Drawing {
  texts: string[];
  /** The radii of the dots. */
  dots: number[];
  /** The colours of the lines. */
  strokes: string[];
}

/** From the next page on, notes what is drawn on canvases besides drawing it: a chart has no elements to look at. */
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

/** What the page's one canvas shows now. */
export function drawingOn(page: Page): Promise<Drawing> {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    return (window as unknown as { drawingOf(canvas: HTMLCanvasElement): Drawing }).drawingOf(canvas);
  });
}

/** The time labels along the chart's axis. */
export async function timeAxis(page: Page): Promise<string[]> {
  return (await drawingOn(page)).texts.filter((text) => /^\d+:\d+:\d+$/.test(text));
}
