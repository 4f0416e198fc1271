import { cleanup, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MetricCard, type MetricCardProps } from '../../../app/ui/tiles/metric-card';
import { THRESHOLDS } from '../../support/readings/readings';

/** Renders a CO2 tile after the first insert. `props` override the defaults. */
function show(props: Partial<MetricCardProps> = {}) {
  render(
    <MetricCard
      name="CO2"
      currentReading={{ new: { co2: 415, voc: 120 } }}
      previousReading={{ co2: 400, voc: 160 }}
      dataParam="co2"
      threshold={THRESHOLDS.co2}
      unit="PPM"
      loading={false}
      {...props}
    />,
  );
  const tile = screen.getByRole('article');
  return { tile, text: () => tile.textContent ?? '', in: within(tile) };
}

const current = (co2: number, voc = 0) => ({ new: { co2, voc } });

test('shows the name, value, unit, level and change', () => {
  const { tile, in: inTile } = show();
  expect(screen.getByRole('article', { name: 'CO2' })).toBe(tile);
  expect(inTile.getByRole('heading', { name: 'CO2' })).toBeTruthy();
  for (const text of ['415', 'PPM', 'good', '+3.75%']) expect(inTile.getByText(text)).toBeTruthy();
});

test('on a wall, the heading has the unit, and a space that Chromium reads', () => {
  const { in: inTile } = show({ isWall: true });
  const [name, unit] = inTile.getByRole('heading').childNodes;
  expect([name?.nodeValue, unit?.textContent]).toEqual(['CO2 ', 'PPM']);
});

test('shows the metric in the `data` property', () => {
  const { in: inTile, text } = show({
    name: 'VOC',
    dataParam: 'voc',
    threshold: THRESHOLDS.voc,
    unit: 'PPB',
  });
  for (const shown of ['120', 'PPB', '-25.00%']) expect(inTile.getByText(shown)).toBeTruthy();
  expect(text()).not.toContain('415');
});

test('uses the threshold of its own metric for the level', () => {
  const { tile, in: inTile } = show({
    currentReading: current(2500, 400),
    dataParam: 'voc',
    threshold: THRESHOLDS.voc,
  });
  expect(inTile.getByText('moderate')).toBeTruthy();
  expect(tile.dataset.level).toBe('moderate');
});

test.each([
  [440, 400, '+10.00%'],
  [360, 400, '-10.00%'],
  [400, 400, '0.00%'],
  [400.001, 400, '0.00%'],
])('%d after %d is a change of %s', (value, previous, shown) => {
  const { in: inTile } = show({
    currentReading: current(value),
    previousReading: { co2: previous, voc: 0 },
  });
  expect(inTile.getByText(shown)).toBeTruthy();
});

test.each([[null], [{ co2: 0, voc: 0 }]])(
  'shows a dash for the change after %j, never Infinity or NaN',
  (previousReading) => {
    const { in: inTile, text } = show({ previousReading });
    expect(inTile.getByText('–')).toBeTruthy();
    expect(text()).not.toMatch(/Infinity|NaN|%/);
  },
);

test.each([
  ['co2', 0],
  ['co2', -5],
  ['co2', 299.9],
  ['co2', 65_519],
  ['voc', -5],
] as const)('a %s of %d is shown as a fault of the sensor, without a level', (dataParam, value) => {
  const currentReading = { new: { co2: 415, voc: 120, [dataParam]: value } };
  const { in: inTile, tile, text } = show({ currentReading, dataParam, threshold: THRESHOLDS[dataParam] });
  expect(inTile.getByText(String(value))).toBeTruthy();
  expect(inTile.getByText('sensor fault').title).toBe('The sensor reports a fault');
  expect(text()).not.toMatch(/good|poor|check/);
  expect(tile.dataset.level).toBeUndefined();
  expect(tile.className).not.toContain('bg-good');
});

test('a value of zero is good for VOC, and has a change of -100 %', () => {
  const voc = { dataParam: 'voc', threshold: THRESHOLDS.voc } as const;
  const { in: inTile, tile } = show({ currentReading: { new: { co2: 415, voc: 0 } }, ...voc });
  expect(inTile.getByText('0')).toBeTruthy();
  expect(inTile.getByText('-100.00%')).toBeTruthy();
  expect(tile.dataset.level).toBe('good');
});

test('a possible value is not called good while the verdict says to check its sensor', () => {
  expect(show({ hasFault: true }).in.getByText('check')).toBeTruthy();
  cleanup();
  expect(show({ hasFault: true, currentReading: current(2500) }).in.getByText('poor')).toBeTruthy();
});

test('shows Getting Reading instead of the value while loading, without a level', () => {
  const { tile, in: inTile, text } = show({ loading: true });
  expect(inTile.getByText('Getting Reading')).toBeTruthy();
  expect(text()).not.toMatch(/415|%/);
  expect(tile.dataset.level).toBeUndefined();
});

test('shows the age of a stale value, without Getting Reading, level and change', () => {
  const { tile, text } = show({
    currentReading: current(612.5),
    freshness: 'stale',
    age: 'no reading for 4 min',
  });
  expect(text()).toMatch(/612\.5 PPM.*no reading for 4 min/);
  expect(text()).not.toMatch(/Getting Reading|good|%/);
  expect(tile.dataset.level).toBeUndefined();
});

test('shows neither level nor change without a current reading', () => {
  const { tile, in: inTile, text } = show({ currentReading: null });
  expect(inTile.getByText('–')).toBeTruthy();
  expect(text()).not.toMatch(/good|moderate|poor|%|Getting Reading/);
  expect(tile.dataset.level).toBeUndefined();
});

test.each(['stale', 'disconnected'] as const)(
  'shows neither level nor change for a %s value',
  (freshness) => {
    const { tile, in: inTile, text } = show({ freshness, age: 'no reading for 3 min' });
    expect(inTile.getByText('415')).toBeTruthy();
    expect(inTile.getByText('no reading for 3 min')).toBeTruthy();
    expect(text()).not.toMatch(/good|%/);
    expect(tile.dataset.freshness).toBe(freshness);
  },
);

test.each([
  [415, '415'],
  [415.456, '415.46'],
  [1234567, '1234567'],
  [-99, '-99'],
])('shows %d as %s', (co2, shown) => {
  expect(show({ currentReading: current(co2) }).in.getByText(shown)).toBeTruthy();
});

test('a value just below a threshold is not rounded up to it', () => {
  const { in: inTile } = show({ currentReading: current(999.999) });
  expect(inTile.getByText('999.99')).toBeTruthy();
  expect(inTile.getByText('good')).toBeTruthy();
});

/** Returns the position of the mark, and the zones; null without a mark. */
function scaleOf(tile: HTMLElement) {
  const zones = [...tile.querySelectorAll<HTMLElement>('[data-zone]')].map(({ dataset }) => dataset.zone);
  expect(zones).toEqual(['good', 'moderate', 'poor']);
  return tile.querySelector('[data-mark] line')?.getAttribute('x1') ?? null;
}

test.each([
  [-100, '0.00%'],
  [0, '0.00%'],
  [500, '20.00%'],
  [1000, '40.00%'],
  [1500, '60.00%'],
  [2000, '80.00%'],
  [2500, '100.00%'],
  [1e308, '100.00%'],
])('marks %d PPM at %s of the scale', (co2, at) => {
  expect(scaleOf(show({ currentReading: current(co2) }).tile)).toBe(at);
});

test('the zones of the scale follow the configured thresholds', () => {
  const threshold = { good: 100, moderate: 1100 };
  expect(scaleOf(show({ currentReading: current(600), threshold }).tile)).toBe('60.00%');
});

test('the scale has a mark for a stale value, but none without a value', () => {
  expect(scaleOf(show({ freshness: 'stale' }).tile)).not.toBeNull();
  cleanup();
  expect(scaleOf(show({ currentReading: null }).tile)).toBeNull();
});

test.each([
  [440, '▲ +10.00%'],
  [360, '▼ -10.00%'],
  [400, '0.00%'],
])('%d after 400 shows an arrow with the change: %s', (value, shown) => {
  const { text } = show({ currentReading: current(value), previousReading: { co2: 400, voc: 0 } });
  expect(text()).toContain(`change: ${shown}`);
  expect(text().match(/[▲▼]/g)?.length ?? 0).toBe(shown.startsWith('0') ? 0 : 1);
});

test.each([
  [2908, 400, '+627.00%', '+627%'],
  [1_200_000, 400, '+299900.00%', 'more than ×1000'],
  [-1_200_000, 400, '-300100.00%', 'more than ×1000'],
])(
  '%d after %d is %s in the title and for screen readers, shortened to %s in a narrow tile',
  (value, previous, exact, short) => {
    const { in: inTile } = show({
      currentReading: current(value),
      previousReading: { co2: previous, voc: 0 },
    });
    expect(inTile.getByTitle(exact)).toBeTruthy();
    expect(inTile.getByText(exact).closest('[aria-hidden]')).toBeNull();
    expect(inTile.getByText(short).closest('[aria-hidden]')).not.toBeNull();
  },
);

test('says that the newest reading lacks the metric, without level, change and age', () => {
  const currentReading = { new: { co2: null, voc: 120 } };
  const { tile, in: inTile, text } = show({ currentReading, age: '4 s ago' });
  expect(inTile.getByText('not in the newest reading')).toBeTruthy();
  expect(text()).not.toMatch(/Getting Reading|good|moderate|poor|%|ago|PPM/);
  expect(tile.dataset.level).toBeUndefined();
});

test('a reading that lacks a metric does not hide the metric of the sensor', () => {
  const { text } = show({ currentReading: { new: { co2: null, voc: 120 } }, isMeasured: true });
  expect(text()).toContain('not in the newest reading');
  expect(text()).not.toContain('not measured');
});

test('shows no change from a reading without the metric', () => {
  const { in: inTile } = show({ previousReading: { co2: null, voc: 100 } });
  expect(inTile.getByText('415')).toBeTruthy();
  expect(inTile.getByText('–')).toBeTruthy();
});
