import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from '../../tests/support/browser/chromium';
import { temporaryFolder } from '../../tests/support/server/server';
import type { Figure, Measurement } from '../figure';
import { seedStore, startProduct } from '../servers';
import { median } from '../statistics';

/** The last version for Node 20. It isn't a dependency, because it is four times the size of the product. */
const VERSION = '12.8.2';
const PAGES = ['/', '/postdata', '/chart?range=24HR'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** The performance score varies between runs. */
const RUNS = 5;

type Scores = Record<string, number>;

/** Measures each page's Lighthouse scores with the mobile preset. */
export const lighthouse: Measurement = {
  name: 'lighthouse',
  async measure() {
    const server = await startProduct(seedStore(5760));
    const figures: Figure[] = [];
    for (const page of PAGES) {
      const runs = Array.from({ length: RUNS }, () => scores(server.url + page));
      for (const category of CATEGORIES) {
        const value = median(runs.map((run) => run[category] ?? 0));
        figures.push({
          name: `Lighthouse ${category} of ${page}`,
          unit: '',
          value,
          target: { atLeast: 95 },
        });
      }
    }
    await server.stop();
    return figures;
  },
};

function scores(url: string): Scores {
  const report = join(temporaryFolder(), 'report.json');
  const { status, stderr } = spawnSync(
    'npx',
    [
      ...['-y', `lighthouse@${VERSION}`, url, '--quiet', '--output=json', `--output-path=${report}`],
      ...[`--only-categories=${CATEGORIES}`, '--chrome-flags=--headless=new --no-sandbox --disable-gpu'],
    ],
    { env: { ...process.env, CHROME_PATH: ensureChromium() }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Lighthouse ended with ${status}:\n${stderr}`);
  const { categories } = JSON.parse(readFileSync(report, 'utf8')) as {
    categories: Record<string, { score: number }>;
  };
  return Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, score * 100]));
}
