/** Requests as the firmware of devices sends them, byte by byte. */

const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString('base64');

/**
 * Returns the post of an airRohr (`sendData` of airrohr-firmware.ino NRZ-2024-135, with `sendHeader` and `addHeader` of
 * the ESP8266 core's HTTPClient) to "custom API", with these values.
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
 * Returns the post of an Enviro (`upload_reading` of enviro/destinations/http.py, April 2024, by MicroPython's `urequests`, which
 * leaves the port out of `Host`) to its "custom HTTP endpoint".
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

/** What an Enviro Indoor measures, without additions (enviro/boards/indoor.py). */
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
