import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chartSeries } from '../../app/readings/chart/chart-series';
import { DEFAULT_RANGE, HISTORY_LIMIT } from '../../app/readings/chart/range';
import type { Reading } from '../../app/readings/reading';
import { buildBaseline } from '../build-baseline';
import { firstPaintedChart, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStore, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUNDS = 15;
/** A folder in the static files, so that the product serves it. */
const FOLDER = 'bench-chart';

/** Measures the time until a first visitor with a slow phone sees the chart, against a page with only that chart. */
export const firstChart: Measurement = {
  name: 'first-chart',
  async measure() {
    const folder = `build/client/${FOLDER}`;
    mkdirSync(folder);
    // Create the files first, because a server only serves static files that exist at its start.
    for (const file of ['chart.js', 'index.html']) writeFileSync(`${folder}/${file}`, '');
    const server = await startProduct(seedStore(HISTORY_LIMIT));
    try {
      const [script = ''] = await buildBaseline('chart-page');
      const readings: Reading[] = await (
        await fetch(`${server.url}/api/data?limit=${DEFAULT_RANGE.maxPoints}`)
      ).json();
      writeFileSync(`${folder}/chart.js`, script);
      writeFileSync(
        `${folder}/index.html`,
        chartPage(JSON.stringify(chartSeries(readings, DEFAULT_RANGE, HISTORY_LIMIT))),
      );
      return await withChromium(async (browser) => {
        const candidates = [server.url, `${server.url}/${FOLDER}/index.html`].map(
          (url) => () => firstPaintedChart(browser, url),
        ) as [() => Promise<number>, () => Promise<number>];
        await interleave(...candidates, 1);
        return [
          {
            name: 'first chart painted, cold, slow phone',
            unit: 'ms',
            ...medians(await interleave(...candidates, ROUNDS), (ms) => ms),
            target: { atMost: 1.5 },
          },
        ];
      });
    } finally {
      rmSync(folder, { recursive: true });
      await server.stop();
    }
  },
};

function chartPage(points: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>chart</title>
<script type="module" src="chart.js"></script>
<script type="application/json" id="points">${points}</script>
<div style="height: 480px"><canvas></canvas></div>
`;
}
