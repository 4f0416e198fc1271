import { cleanup, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LiveReadings } from '../../../app/live/browser/use-readings';
import { METRICS_IN_FAHRENHEIT } from '../../../app/readings/metric';
import type { Reading } from '../../../app/readings/reading';
import { MetricsContext } from '../../../app/ui/page-contexts';
import { AirNow } from '../../../app/ui/tiles/air-now';
import { OnPage } from '../../support/readings/on-page';
import { reading, sensorWith } from '../../support/readings/readings';
import { currentAiring, ventilation } from '../../support/readings/room';

const future = reading(1, { co2: 415, voc: 100, created_at: '2099-01-01T00:00:00.000Z' });

/** A page 5 s after reading 2 was stored. */
const pageOf = (history: Reading[], last: Reading | null, sensor = ''): LiveReadings => ({
  sensor,
  sensors: [],
  history,
  count: history.length,
  hasLoaded: true,
  last,
  previous: null,
  connection: { state: 'live' },
  clock: { serverTime: Date.parse(reading(2).created_at) + 5000, viewerTime: performance.now() },
});

function renderAir(...page: Parameters<typeof pageOf>): void {
  render(
    <OnPage readings={pageOf(...page)}>
      <AirNow />
    </OnPage>,
  );
}

/** The question about the room has no answer yet. */
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => {})));

const tiles = () => screen.getAllByRole('article').map((tile) => tile.getAttribute('aria-label'));
const tile = (name: string) => screen.getByRole('article', { name });
const verdict = () => screen.getByRole('region', { name: 'Verdict' }).textContent;
const co2 = () => screen.getByRole('article', { name: 'CO2' });
const STILL_TO_COME =
  /^The newest reading has the time .*, which is in the future: the server's clock was changed, or the sensor's is wrong\.$/;
const notice = () => screen.queryByRole('alert')?.textContent;

test('a reading from the future is never good air, and the page says that a clock is wrong', () => {
  renderAir([future], future);
  expect(verdict()).toContain('The air is not known');
  expect(co2().dataset).toMatchObject({ freshness: 'ahead' });
  expect(co2().textContent).toContain('time not known');
  expect(co2().textContent).not.toContain('ago');
  expect(notice()).toMatch(STILL_TO_COME);
});

test('the verdict and the tiles use the readings stored after one from the future', () => {
  const last = reading(2, { co2: 2100, voc: 100 });
  renderAir([last, future], last);
  expect(verdict()).toContain('Open a window now');
  expect(co2().textContent).toMatch(/2,?100/);
  expect(co2().textContent).toContain('5 s ago');
  expect(notice()).toMatch(STILL_TO_COME);
});

test('does not mention the clock if every reading is in the past', () => {
  renderAir([reading(1), reading(2)], reading(2));
  expect(verdict()).toContain('Good air');
  expect(notice()).toBeUndefined();
});

test('says that a sensor with an hourly interval is due later, without claiming a level', () => {
  const hourly = [12, 11, 10, 9].map((hoursAgo) => {
    const ms = Date.parse(reading(2).created_at) - hoursAgo * 3_600_000 + 8.6 * 3_600_000;
    return reading(20 - hoursAgo, { created_at: new Date(ms).toISOString() });
  });
  renderAir(hourly, hourly.at(-1) as Reading);
  expect(verdict()).toBe('The air is not knownLast reading 24 min ago; it sends every hour.');
  expect(co2().textContent).toMatch(/last reading 24 min ago$/);
  expect(co2().dataset.level).toBeUndefined();
  expect(document.title).toBe('last reading 24 min ago – airboard');
});

test('only the headline of the verdict is a live region, since its cause changes with every reading', () => {
  const last = reading(2, { co2: 2100, voc: 100 });
  renderAir([reading(1, { co2: 2000, voc: 100 }), last], last);
  expect(screen.getByRole('status').textContent).toBe('Open a window now');
  expect(verdict()).toContain('CO2 is 2100 PPM and rising; above 1000 for at least 15 s.');
});

test('for CO2 below outdoor air, the tile is not called good and the verdict doubts the sensor', () => {
  const last = reading(2, { co2: 250, voc: 100 });
  renderAir([reading(1), last], last);
  expect(co2().dataset.level).toBeUndefined();
  expect(verdict()).toBe('Check the sensorCO2 is 250 PPM, less than the air outdoors has.');
});

test('the tile changes its level at once, while the verdict waits for lasting improvement', () => {
  const last = reading(2, { co2: 500, voc: 100 });
  renderAir([reading(1, { co2: 2100, voc: 100 }), last], last);
  expect(co2().dataset.level).toBe('good');
  expect(screen.getByRole('region', { name: 'Verdict' }).dataset.verdict).toBe('poor');
  expect(verdict()).toContain('CO2 is 500 PPM and falling; now below 1000.');
});

test('the title of the tab names the sensor', () => {
  renderAir([reading(2, { co2: 862, voc: 100 })], reading(2, { co2: 862, voc: 100 }), 'Bedroom');
  expect(document.title).toBe('862 PPM, good – Bedroom – airboard');
});

test('a sensor without VOC has no VOC tile, and the verdict uses the other metric', () => {
  const last = reading(2, { co2: 1100, voc: null });
  renderAir([reading(1, { co2: 500, voc: null }), last], last);
  expect(tiles()).toEqual(['CO2']);
  expect(verdict()).toBe('Open a window soonCO2 is 1100 PPM and rising; now above 1000.');
});

test('a tile says that only the newest reading lacks its metric', () => {
  const last = reading(2, { co2: 1100, voc: null });
  renderAir([reading(1), last], last);
  expect(screen.getByRole('article', { name: 'VOC' }).textContent).toContain('not in the newest reading');
});

const MANY = { co2: 800, voc: 100, voc_index: 96, pm25: 18.44, temperature: 21.4, humidity: 44 };

test('further metrics get small tiles after CO2 and VOC, with a level or the comfort band', () => {
  renderAir([reading(1, MANY), reading(2, MANY)], reading(2, MANY));
  expect(tiles()).toEqual(['CO2', 'VOC', 'VOC index', 'PM2.5', 'Temperature', 'Humidity']);
  expect(tile('VOC index').textContent).toBe('VOC index96 good');
  expect(tile('PM2.5').textContent).toBe('PM2.518.4 µg/m³moderate');
  expect(tile('PM2.5').dataset.level).toBe('moderate');
  expect(tile('Temperature').textContent).toBe('Temperature21.4 °C');
  expect(tile('Humidity').textContent).toBe('Humidity44 %comfortable');
});

test('a large tile of humidity says whether it is comfortable', () => {
  const last = reading(2, { co2: null, voc: null, temperature: 21.4, humidity: 60 });
  renderAir([reading(1, { co2: null, voc: null }), last], last);
  expect(tiles()).toEqual(['Temperature', 'Humidity']);
  expect(tile('Humidity').textContent).toContain('Humidity high60 %');
});

test('a small tile shows the trend, and says what the newest reading lacks', () => {
  const rising = Array.from({ length: 41 }, (_, i) => reading(i - 38, { ...MANY, temperature: 20 + i / 20 }));
  const last = { ...reading(2, MANY), temperature: 22, humidity: null };
  renderAir([...rising.slice(0, -1), last], last);
  expect(tile('Temperature').textContent).toBe('Temperature22 °Crising');
  expect(tile('Humidity').textContent).toBe('Humidity– not in the newest reading');
});

test('small tiles show no level for stale values', () => {
  const old = Array.from({ length: 5 }, (_, i) => reading(i - 1000, MANY));
  renderAir(old, old.at(-1) as Reading);
  expect(tile('PM2.5').textContent).toBe('PM2.518.4 µg/m³');
  expect(tile('PM2.5').dataset).toMatchObject({ freshness: 'stale' });
});

test('a sensor with only temperature and pressure has two large tiles and no verdict', () => {
  const values = { co2: null, voc: null, temperature: 21.4, pressure: 1013.2 };
  renderAir([reading(1, values), reading(2, values)], reading(2, values));
  expect(tiles()).toEqual(['Temperature', 'Pressure']);
  expect(tile('Temperature').textContent).toBe('Temperature 21.4 °C5 s ago');
  expect(verdict()).toBe(
    'No verdict on the airTemperature 21.4 °C, Pressure 1013.2 hPa. The sensor measures nothing that has levels.',
  );
  expect(document.title).toBe('21.4 °C – airboard');
});

test('shows tiles for CO2 and VOC before any reading', () => {
  renderAir([], null);
  expect(tiles()).toEqual(['CO2', 'VOC']);
  expect(tile('VOC').textContent).toContain('Getting Reading');
});

test("the tile of a temperature follows the sensor's own limits of comfort", () => {
  const shownAt = (temperature: number) => {
    const last = reading(2, { ...MANY, temperature });
    const page = pageOf([last], last);
    const [summary] = sensorWith([last]);
    if (!summary) throw new Error('no sensor');
    const thresholds = { temperature: { poor_below: 16, from: 19, to: 25 } };
    render(
      <OnPage readings={{ ...page, sensors: [{ ...summary, thresholds }] }}>
        <AirNow />
      </OnPage>,
    );
    const { textContent, dataset } = tile('Temperature');
    cleanup();
    return [textContent, dataset.level];
  };
  expect(shownAt(15)).toEqual(['Temperature15 °Cmuch too cold', 'poor']);
  expect(shownAt(18)).toEqual(['Temperature18 °Ctoo cold', 'moderate']);
  expect(shownAt(21)).toEqual(['Temperature21 °Ccomfortable', 'good']);
});

test('shows temperatures in °F for viewers who use them', () => {
  render(
    <MetricsContext.Provider value={METRICS_IN_FAHRENHEIT}>
      <OnPage readings={pageOf([reading(2, MANY)], reading(2, MANY))}>
        <AirNow />
      </OnPage>
    </MetricsContext.Provider>,
  );
  expect(tile('Temperature').textContent).toBe('Temperature70.5 °F');
});

test('while a window is open, the verdict says how much longer, with a bar', async () => {
  const airing = currentAiring({ since: reading(2 - 20).created_at });
  vi.stubGlobal('fetch', async () => Response.json(ventilation({ airing })));
  try {
    const last = reading(2, { co2: 1050, voc: 100 });
    renderAir([reading(1, { co2: 1100, voc: 100 }), last], last);
    expect(verdict()).toContain('Open a window soon');
    const bar = await screen.findByRole('progressbar', { name: 'Airing' });
    expect(bar.getAttribute('aria-valuetext')).toBe('5 of about 9 min');
    expect(screen.getByRole('status').textContent).toBe('About 4 more minutes of airing');
    expect(screen.getByRole('region', { name: 'Verdict' }).dataset.verdict).toBe('moderate');
  } finally {
    vi.unstubAllGlobals();
  }
});

test('on a wall, which has no line about corrections, each tile with a corrected value says so', () => {
  const last = { ...reading(2, { co2: 600, humidity: 45 }), raw: { co2: 700, humidity: 40 } };
  render(
    <OnPage readings={pageOf([last], last)}>
      <AirNow isWall />
    </OnPage>,
  );
  expect(co2().textContent).toContain('corrected, 5 s ago');
  expect(tile('Humidity').textContent).toContain('comfortable, corrected');
});
