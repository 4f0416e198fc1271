import type { Measurement } from './figure';
import { batches } from './figures/batches';
import { exportCsv } from './figures/export';
import { fairness } from './figures/fairness';
import { fanOut } from './figures/fan-out';
import { firstChart } from './figures/first-chart';
import { history } from './figures/history';
import { influxdb } from './figures/influxdb';
import { install } from './figures/install';
import { lighthouse } from './figures/lighthouse';
import { memory } from './figures/memory';
import { openPage } from './figures/open-page';
import { pageLoad } from './figures/page-load';
import { postToPixel } from './figures/post-to-pixel';
import { posts } from './figures/posts';
import { size } from './figures/size';
import { zoom } from './figures/zoom';

/** All measurements, in the order of the table. tests/bench/measurements.test.ts fails if one is missing. */
export const measurements: readonly Measurement[] = [
  posts,
  batches,
  influxdb,
  fairness,
  history,
  exportCsv,
  pageLoad,
  memory,
  fanOut,
  size,
  firstChart,
  postToPixel,
  zoom,
  openPage,
  install,
  lighthouse,
];
