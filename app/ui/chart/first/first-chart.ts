import {
  CategoryScale,
  Chart,
  type ChartOptions,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
} from 'chart.js';
import { chartData } from '../chart-data';
import type { ChartModel } from '../chart-model';

// Every chart has these parts of Chart.js.
Chart.register(LineController, CategoryScale, LinearScale, LineElement, PointElement);

/** On screen until the page draws its own. */
let first: Chart | undefined;
let isOver = false;

/**
 * Draws a chart on a canvas of the server's page while React is loading. It is for looking only, and marks its canvas with
 * `data-drawn`.
 */
export function drawFirstChart(
  canvas: HTMLCanvasElement,
  model: ChartModel,
  options: ChartOptions<'line'>,
  plugins: Plugin<'line'>[],
): void {
  const data = chartData(model, []);
  onceStyled(() => {
    if (isOver) return;
    first = new Chart(canvas, { type: 'line', data, options: { ...options, events: [] }, plugins });
    canvas.dataset.drawn = '';
  });
}

/** Calls back once the page has its styles, which the size and the colours of a chart depend on. */
function onceStyled(callback: () => void): void {
  const styles = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (styles && !styles.sheet) styles.addEventListener('load', callback);
  else callback();
}

/** Empties the canvas for the chart that the page draws from now on. */
export function endFirstChart(): void {
  isOver = true;
  delete first?.canvas.dataset.drawn;
  first?.destroy();
  first = undefined;
}
