import { execFileSync, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../server/server';
import { until } from '../until';

/** The address of airboard in every recipe. */
const ADDRESS = 'http://192.168.1.20:3000';

/** Returns the code blocks below a heading of a document, with `url` in place of `ADDRESS`. */
export function recipesBelow(path: string, heading: string, url: string): string[] {
  const [, section = ''] = readFileSync(path, 'utf8').split(new RegExp(`^#+ ${heading}\\n`, 'm'));
  const [text = ''] = section.split(/^##+ /m);
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)];
  return blocks.map(([, code = '']) => code.replaceAll(ADDRESS, url));
}

/** Returns true if the command runs and exits with 0. */
export function isInstalled(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program and returns its output, without blocking this process. After `execFileSync`, `fetch` would use a
 * connection that the server has closed.
 */
export async function run(
  [program = '', ...options]: string[],
  { input = '', ...others }: SpawnOptionsWithoutStdio & { input?: string } = {},
): Promise<string> {
  const child = spawn(program, options, others);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.end(input);
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}:\n${errors}`);
  return output;
}

/** Arduino headers, which `board.h` and `sensors.h` replace. */
const BOARD = ['HTTPClient.h', 'WiFi.h'];
const SENSORS = [
  ...[
    'NOxGasIndexAlgorithm.h',
    'SensirionI2CSgp41.h',
    'SensirionI2cScd4x.h',
    'VOCGasIndexAlgorithm.h',
    'Wire.h',
  ],
];

/** Compiles an Arduino sketch for this machine and runs it for `forS` seconds of its virtual clock. */
export async function runSketch(
  sketch: string,
  { onlineAfterS, forS }: { onlineAfterS: number; forS: number },
): Promise<void> {
  const folder = temporaryFolder();
  for (const header of BOARD) writeFileSync(join(folder, header), '#include "board.h"\n');
  for (const header of SENSORS) writeFileSync(join(folder, header), '#include "sensors.h"\n');
  // Like Arduino's builder, declare all functions first, since a sketch may call them before their definition.
  const functions = [...sketch.matchAll(/^(?:void|float|int) \w+\(.*?\)(?= \{)/gm)];
  const declarations = functions.map(([line]) => `${line};\n`).join('');
  const sensor = 'float readCo2() { return 415; }\nfloat readVoc() { return 120; }\n';
  const source = join(folder, 'sketch.cpp');
  const added = /float readCo2\(\)|readScd41\(\)/.test(sketch) ? '' : sensor;
  writeFileSync(source, `#include "board.h"\nstruct Reading;\n${declarations}${added}${sketch}`);
  const program = join(folder, 'sketch');
  const include = ['-I', folder, '-I', resolve('tests/support/devices/arduino')];
  await run(['g++', '-std=c++17', ...include, source, '-o', program]);
  const startedAt = Math.floor(Date.now() / 1000) - 3600;
  const [WIFI_AT, STOP_AT, STARTED_AT] = [onlineAfterS * 1000, forS * 1000, startedAt].map(String);
  await run([program], { env: { NODE_ENV: 'test', WIFI_AT, STOP_AT, STARTED_AT } });
}

/** Runs an endless Python program until `isDone`. `modules` replace those that exist only on boards. */
export async function runPython(
  code: string,
  isDone: () => Promise<boolean>,
  modules: Record<string, string> = {},
) {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.py`), text);
  writeFileSync(join(folder, 'recipe.py'), code);
  const child = spawn('python3', [join(folder, 'recipe.py')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the recipe ended:\n${output}`);
      return isDone();
    });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit').catch(() => {});
  }
}

// Requests exactly as each device's firmware sends them.

const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString('base64');

/**
 * Returns the request that an airRohr sends to its "custom API". Source: `sendData` in airrohr-firmware.ino
 * NRZ-2024-135, and `sendHeader` and `addHeader` in the ESP8266 core's HTTPClient.
 */
export function airRohrPost(
  { port, path, user, password }: { port: number; path: string; user?: string; password?: string },
  values: Record<string, string>,
): string {
  const pairs = Object.entries({
    ...values,
    ...{ samples: '4903231', min_micro: '28', max_micro: '20064', interval: '145000', signal: '-67' },
  });
  const list = pairs.map(([type, value]) => `{"value_type":"${type}","value":"${value}"}`).join(',');
  const body = `{"esp8266id": "10677322", "software_version": "NRZ-2024-135", "sensordatavalues":[${list}]}`;
  return [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'User-Agent: NRZ-2024-135/10677322/e8db84a2ec4a',
    'Connection: close',
    'Accept-Encoding: identity;q=1,chunked;q=0.1,*;q=0',
    ...(user === undefined ? [] : [`Authorization: Basic ${basic(user, password ?? '')}`]),
    'Content-Type: application/json',
    'X-Sensor: esp8266-10677322',
    'X-MAC-ID: esp8266-e8db84a2ec4a',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/**
 * Returns the request that an Enviro sends to its "custom HTTP endpoint". Source: `upload_reading` in
 * enviro/destinations/http.py, April 2024. MicroPython's `urequests` omits the port in `Host`.
 */
export function enviroPost(
  { path, user, password }: { path: string; user?: string; password?: string },
  cached: { nickname: string | null; timestamp: string; readings: Record<string, number> },
): string {
  const body = JSON.stringify({ ...cached, model: 'indoor', uid: 'e6614c775b8c4035' });
  return [
    `POST /${path.slice(1)} HTTP/1.0`,
    'Host: 127.0.0.1',
    ...(user === undefined ? [] : [`Authorization: Basic ${basic(user, password ?? '')}`]),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Values of an Enviro Indoor without extra sensors (enviro/boards/indoor.py). */
export const ENVIRO_INDOOR = {
  ...{ temperature: 21.57, humidity: 49.33, pressure: 996.22, gas_resistance: 126543 },
  ...{ aqi: 13.7, luminance: 82, color_temperature: 4120 },
};

/** Values of an airRohr with an SDS011, a BME280 and an SCD30. */
export const AIR_ROHR = {
  ...{ SDS_P1: '8.43', SDS_P2: '4.20', BME280_temperature: '21.30', BME280_pressure: '99621.50' },
  ...{
    BME280_humidity: '48.12',
    SCD30_temperature: '22.15',
    SCD30_humidity: '46.90',
    SCD30_co2_ppm: '512.00',
  },
};

/**
 * Returns the request that an AirGradient monitor sends. Source: `httpPostMeasures` of airgradienthq/airgradient-client, and
 * Arduino's HTTPClient, which takes a login from the address.
 */
export function airGradientPost(
  { port, user, password }: { port: number; user?: string; password?: string },
  values: Record<string, unknown>,
): string {
  const body = JSON.stringify(values);
  return [
    'POST /sensors/airgradient:ecda3b1eaaaf/measures HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'User-Agent: ESP32HTTPClient',
    'Connection: keep-alive',
    'Accept-Encoding: identity;q=1,chunked;q=0.1,*;q=0',
    ...(user === undefined ? [] : [`Authorization: Basic ${basic(user, password ?? '')}`]),
    'content-type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** What an AirGradient ONE posts once a minute: `Measurements::toString` of airgradienthq/arduino, 3.6.5. */
export const AIRGRADIENT_ONE = {
  ...{ pm01: 3, pm02: 7, pm10: 8, pm01Standard: 3, pm02Standard: 7, pm10Standard: 8, pm003Count: 442 },
  ...{ pm02Compensated: 6, firmware: '13', atmp: 24.47, rhum: 49, rco2: 447, tvocIndex: 100, tvocRaw: 33051 },
  ...{ noxIndex: 1, noxRaw: 16307, boot: 6, bootCount: 6, wifi: -46, resetReason: 1, freeHeap: 120_000 },
};
