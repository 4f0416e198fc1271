import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, temporaryFolder } from '../server/server';

/** Returns true if Prometheus and its promtool are installed, such as by Debian's package `prometheus`. */
export function hasPrometheus(): boolean {
  return ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0);
}

/** Returns what `promtool check metrics` has against metrics as text; empty if nothing. */
export function complaintsOfPromtool(text: string): string {
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** A Prometheus that scrapes one server. */
export interface Prometheus {
  /** Returns the samples that a query selects, with the labels that the scrape adds left out. */
  query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]>;
  stop(): void;
}

/** Starts a Prometheus of its own that scrapes `host` each second. */
export async function startPrometheus(host: string): Promise<Prometheus> {
  const folder = temporaryFolder();
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `scrape_configs: [{ job_name: air, scrape_interval: 1s, static_configs: [{ targets: ['${host}'] }] }]`,
  );
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  return {
    async query(expression) {
      const address = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const answer = await fetch(address).catch(() => null);
      if (!answer?.ok) return [];
      const { data } = (await answer.json()) as QueryAnswer;
      return data.result.map(({ metric: { __name__, instance, job, ...labels }, value: [, value] }) => ({
        labels,
        value: Number(value),
      }));
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

interface QueryAnswer {
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}
