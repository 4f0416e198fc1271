import { firstPaintedChart, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStoreWithHistory, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUNDS = 15;

/** The number of readings in a year, 15 s apart. */
const READINGS = 2_102_400;

/** Measures the time until a first visitor with a slow phone sees the chart of a year, against the dashboard's chart. */
export const historyChart: Measurement = {
  name: 'history-chart',
  async measure() {
    const server = await startProduct(await seedStoreWithHistory(READINGS));
    try {
      return await withChromium(async (browser) => {
        const year = () => firstPaintedChart(browser, `${server.url}/history?span=year`);
        const dashboard = () => firstPaintedChart(browser, server.url);
        await interleave(year, dashboard, 1);
        return [
          {
            name: 'first chart of /history?span=year painted, against that of /, cold, slow phone',
            unit: 'ms',
            ...medians(await interleave(year, dashboard, ROUNDS), (ms) => ms),
          },
        ];
      });
    } finally {
      await server.stop();
    }
  },
};
