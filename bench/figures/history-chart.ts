import { firstPaintedChart, withChromium } from '../chromium';
import type { Measurement } from '../figure';
import { seedStoreWithHistory, startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUNDS = 15;

/** A year of readings, 15 s apart. */
const READINGS = 2_102_400;

/** Measures when a first visitor with a slow phone sees the chart of a year, against the chart of the dashboard. */
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
