import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { buildApp, isBuildNeeded } from '../scripts/build/build-app.js';
import { type Figure, formatTable, isMet, type Measurement } from './figure';
import { batches } from './figures/batches';
import { exportCsv } from './figures/export';
import { fairness } from './figures/fairness';
import { fanOut } from './figures/fan-out';
import { firstChart } from './figures/first-chart';
import { history } from './figures/history';
import { lookBack } from './figures/look-back';
import { memory } from './figures/memory';
import { openPage } from './figures/open-page';
import { pageLoad } from './figures/page-load';
import { postToPixel } from './figures/post-to-pixel';
import { posts } from './figures/posts';
import { size } from './figures/size';

/** All measurements, in table order. */
const measurements: readonly Measurement[] = [
  posts,
  batches,
  fairness,
  history,
  lookBack,
  exportCsv,
  pageLoad,
  memory,
  fanOut,
  size,
  firstChart,
  postToPixel,
  openPage,
];
const RESULTS = 'bench/results.json';
const NAMES = measurements.map(({ name }) => name);
const USAGE = `usage: npm run bench -- [--only NAME]... [--compare FILE]

  --only NAME      measures only this, may be repeated: ${NAMES.join(', ')}
  --compare FILE   shows the figures of an older ${RESULTS} beside the new ones`;

interface Results {
  date: string;
  machine: string;
  figures: Figure[];
}

const { only, older } = readArguments();
if (isBuildNeeded()) buildApp();
const results: Results = { date: new Date().toISOString(), machine: describeMachine(), figures: [] };
for (const { name, measure } of measurements.filter(({ name }) => only.length === 0 || only.includes(name))) {
  console.log(`measuring ${name} …`);
  const startedAt = performance.now();
  const figures = await measure();
  results.figures.push(...figures);
  console.log(`${formatTable(figures)}\n${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
}
// A partial run doesn't overwrite the results of a complete one.
if (only.length === 0) writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
console.log(`${results.date}, ${results.machine}\n\n${formatTable(results.figures, older)}`);
const missed = results.figures.filter((figure) => !isMet(figure)).length;
console.log(`\n${missed === 0 ? 'Every target is met.' : `${missed} targets are missed.`}`);
process.exit(0);

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string', multiple: true, default: [] }, compare: { type: 'string' } },
    });
    const unknown = values.only.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) throw new Error(`there is no measurement "${unknown}"`);
    const older: Figure[] = values.compare ? JSON.parse(readFileSync(values.compare, 'utf8')).figures : [];
    return { only: values.only, older };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const cores = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  return `${cores}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}, Node ${process.version}`;
}
