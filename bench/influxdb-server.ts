import { spawn, spawnSync } from 'node:child_process';
import { freePort, temporaryFolder } from '../tests/support/server/server';
import { until } from '../tests/support/until';

/** Returns true if InfluxDB 1 is installed. */
export function hasInfluxdb(): boolean {
  return spawnSync('influxd', ['version']).status === 0;
}

/** Starts InfluxDB 1 with a database. Its default settings write each batch to the disk before the answer. */
export async function startInfluxdb(): Promise<{ url: string; stop(): void }> {
  const folder = temporaryFolder();
  const [port, rpcPort] = [await freePort(), await freePort()];
  const child = spawn('influxd', {
    env: {
      ...process.env,
      HOME: folder,
      INFLUXDB_REPORTING_DISABLED: 'true',
      INFLUXDB_BIND_ADDRESS: `127.0.0.1:${rpcPort}`,
      INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
      INFLUXDB_HTTP_LOG_ENABLED: 'false',
      INFLUXDB_META_DIR: `${folder}/meta`,
      INFLUXDB_DATA_DIR: `${folder}/data`,
      INFLUXDB_DATA_WAL_DIR: `${folder}/wal`,
    },
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  const create = () => fetch(`${url}/query?q=create+database+bench`, { method: 'POST' });
  await until(() =>
    create().then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, stop: () => child.kill() };
}
