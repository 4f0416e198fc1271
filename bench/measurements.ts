import type { Measurement } from './figure';
import { batches } from './figures/batches';
import { exportCsv } from './figures/export';
import { fairness } from './figures/fairness';
import { fanOut } from './figures/fan-out';
import { firstChart } from './figures/first-chart';
import { history } from './figures/history';
import { historyChart } from './figures/history-chart';
import { influxdb } from './figures/influxdb';
import { install } from './figures/install';
import { lighthouse } from './figures/lighthouse';
import { lookBack } from './figures/look-back';
import { lookBackInfluxdb } from './figures/look-back-influxdb';
import { memory } from './figures/memory';
import { notifiedPosts } from './figures/notified-posts';
import { openPage } from './figures/open-page';
import { pageLoad } from './figures/page-load';
import { postToPixel } from './figures/post-to-pixel';
import { posts } from './figures/posts';
import { size } from './figures/size';
import { zoom } from './figures/zoom';

/** All measurements, in table order. tests/bench/measurements.test.ts fails if one is missing. */
export const measurements: readonly Measurement[] = [
  posts,
  notifiedPosts,
  batches,
  influxdb,
  fairness,
  history,
  lookBack,
  lookBackInfluxdb,
  exportCsv,
  pageLoad,
  memory,
  fanOut,
  size,
  firstChart,
  historyChart,
  postToPixel,
  zoom,
  openPage,
  install,
  lighthouse,
];
