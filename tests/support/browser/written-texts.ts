import type { Page } from 'playwright-core';

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

/** Notes where a page writes on its only canvas from now on. Runs in a page, before it draws. */
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

/** Returns the texts that the edges of the canvas cut. */
export async function cutTexts(page: Page): Promise<string[]> {
  const { texts, width } = await writtenOn(page);
  return texts.filter(({ left, right }) => left < -0.5 || right > width + 0.5).map(({ text }) => text);
}

/** Returns the pairs of texts that cover each other, as `a, b`. */
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
