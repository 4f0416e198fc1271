import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Correction } from '../../../../app/readings/correction';
import type { SensorSummary } from '../../../../app/readings/reading';
import type { VentilationAnswer } from '../../../../app/readings/room/ventilation-answer';
import { AiringsCard } from '../../../../app/ui/history/room/airings-card';
import { BreathingCard, newAfter, nthBreath } from '../../../../app/ui/history/room/room-cards';
import { SensorCard } from '../../../../app/ui/history/room/sensor-card';
import { airingAt, ventilation } from '../../../support/readings/room';

const cardText = (name: string) => screen.getByRole('region', { name }).textContent;

const renderBreathing = (known: Partial<VentilationAnswer>) => {
  render(<BreathingCard ventilation={ventilation(known)} newest="1220 PPM" />);
  return cardText('How this room breathes');
};

test('shows the air changes, the airing time and the rebreathed air of a room, with the evidence', () => {
  const text = renderBreathing({
    air_changes: { median: 0.62, lowest: 0.5, highest: 0.8, decays: 7 },
    usual_airing_minutes: [8, 12],
    rebreathed: 0.0209,
  });
  expect(text).toContain('0.5 to 0.8air changes an hour, closed');
  expect(text).toContain('One air change takes about an hour and a half. Measured 7 times.');
  expect(text).toContain('8 to 12 minof airing are enough');
  expect(text).toContain("every 48th breathat 1220 PPM2.1 % of this air has been in somebody's lungs.");
  expect(text).not.toContain('not known yet');
});

test('says which findings are unknown, and why', () => {
  const text = renderBreathing({
    reasons: [
      'Sensor: 7 days of readings are needed.',
      'Air changes: 3 falls are needed, and 1 agrees.',
      'Airing: 3 airings are needed.',
      'Forecast: 10 crossings are needed.',
    ],
  });
  expect(text).toBe(
    'How this room breathes' +
      'not known yetair changes an hour, closed3 falls are needed, and 1 agrees.' +
      'not known yethow long airing takes3 airings are needed.' +
      'not known yethow much of this air was breathed before' +
      'No forecast: 10 crossings are needed.',
  );
});

test('a room without findings, as on the first day of its sensor, shows only the reason', () => {
  const text = renderBreathing({
    reasons: ['Sensor: 3 days are needed.', 'Room: not known yet: wait a day.'],
  });
  expect(text).toBe('How this room breathesNot known yet: wait a day.');
});

test('shows small air changes with two decimals', () => {
  const air_changes = { median: 0.07, lowest: 0.06, highest: 0.09, decays: 3 };
  expect(renderBreathing({ air_changes })).toContain('0.06 to 0.09air changes');
});

test.each([
  [6, 'about 10 min'],
  [2, 'about 30 min'],
  [1, 'about an hour'],
  [0.62, 'about an hour and a half'],
  [0.5, 'about 2 hours'],
  [0.1, 'about 10 hours'],
])('with %d air changes an hour, one takes %s', (median, text) => {
  expect(newAfter({ median })).toBe(text);
});

test.each([
  [0.021, 'every 48th breath'],
  [1 / 21, 'every 21st breath'],
  [1 / 22, 'every 22nd breath'],
  [1 / 13, 'every 13th breath'],
  [1 / 111, 'every 111th breath'],
  [1 / 103, 'every 103rd breath'],
  [0.0001, 'rarer than every 1000th breath'],
  [-0.001, 'rarer than every 1000th breath'],
])('a rebreathed fraction of %d is %s', (rebreathed, text) => {
  expect(nthBreath(rebreathed)).toBe(text);
});

const timeOf = (time: string) => new Date(time).getTime();
const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);

test('lists the airings of a week, newest first, with the counts of the week and of each day', () => {
  render(
    <AiringsCard
      airings={[
        airingAt('2026-11-14T10:00', 5),
        airingAt('2026-11-20T07:00', 8, { from_ppm: 1310.4, to_ppm: 690 }),
        airingAt('2026-11-20T18:12', 21, { air_changes_per_hour: 5.92 }),
        airingAt('2026-11-21T10:45', null),
      ]}
      span={{ from: timeOf('2026-11-15T00:00'), to: timeOf('2026-11-22T00:00') }}
      now={timeOf('2026-11-21T10:54')}
    />,
  );
  expect(cardText('Airings this week')).toContain('3 airings, on 2 of 7 days');
  expect(rows().slice(1)).toEqual([
    'Sat 21 Nov, 1 airing',
    '10:459 min so far1420 →to 10507.4',
    'Fri 20 Nov, 2 airings',
    '18:1221 min1420 →to 10505.9',
    '7:008 min1310 →to 6907.4',
  ]);
});

test('shows the day of each airing of a one-day span, and no table without airings', () => {
  const span = { from: timeOf('2026-11-21T00:00'), to: timeOf('2026-11-22T00:00') };
  const airings = [airingAt('2026-11-21T10:45', 9)];
  const { rerender } = render(<AiringsCard {...{ airings, span }} now={span.to} />);
  expect(cardText('Airings')).toContain('1 airing');
  expect(rows().slice(1)).toEqual(['Sat 21 Nov 10:459 min1420 →to 10507.4']);
  rerender(<AiringsCard airings={[]} span={span} now={span.to} />);
  expect(cardText('Airings')).toBe('Airingsno airings');
});

test('lists the newest 20 airings of a long span, and says so', () => {
  const airings = Array.from({ length: 60 }, (_, i) =>
    airingAt(new Date(timeOf('2026-01-01T08:00') + i * 86_400_000).toISOString(), 10),
  );
  const span = { from: timeOf('2026-01-01T00:00'), to: timeOf('2026-12-31T00:00') };
  render(<AiringsCard {...{ airings, span }} now={span.to} />);
  expect(cardText('Airings')).toContain('The newest 20 of 60. A shorter span shows the others.');
  expect(rows().filter((row) => row?.includes('10 min'))).toHaveLength(20);
});

const renderSensor = (
  known: Partial<VentilationAnswer>,
  reasons: string[] = [],
  corrections: Correction[] = [],
) =>
  render(
    <SensorCard
      ventilation={ventilation(known)}
      readings={{ sensor: 'Office', sensors: [{ ...OFFICE, corrections }] }}
      span={null}
      reasons={reasons}
      isKeyNeeded={false}
    />,
  );

const FIRST = '2026-01-02T10:00:00.000Z';
const OFFICE: SensorSummary = {
  name: 'Office',
  newest: { id: 1, co2: 400, voc: null, created_at: FIRST, sensor: 'Office' },
  first_heard: FIRST,
  last_heard: FIRST,
};
const OFFERED: Correction = { metric: 'co2', offset: -38, factor: 1, from: FIRST };

/** Presses a button, and returns the corrections that the page then sends. */
async function sentBy(name: string): Promise<Correction[]> {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}, { status: 500 }));
  fireEvent.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  const [address, request] = fetched.mock.calls[0] ?? [];
  expect([address, request?.method]).toEqual(['/api/sensors?sensor=Office', 'PATCH']);
  await screen.findByRole('alert');
  fetched.mockRestore();
  return JSON.parse(String(request?.body)).corrections;
}

test('says whether a sensor can be believed, and offers no correction without a reason', () => {
  renderSensor({ believable: true });
  expect(cardText('Can this sensor be believed?')).toBe(
    'Can this sensor be believed?Its readings look right.',
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  [true, 'Its lowest values are 463 PPM.'],
  [false, 'There are reasons to doubt it.Its lowest values are 463 PPM.'],
  [null, 'Not known yet.Its lowest values are 463 PPM.'],
])('a sensor that is believable (%s) with a reason says "%s"', (believable, text) => {
  renderSensor({ believable }, ['Its lowest values are 463 PPM.']);
  expect(cardText('Can this sensor be believed?')).toBe(`Can this sensor be believed?${text}`);
});

test.each([
  [-38, '−38', -38],
  [12.4, '+12', 12],
])('one press corrects by %d PPM from the first reading on', async (offered_offset, shown, offset) => {
  renderSensor({ believable: false, offered_offset });
  expect(cardText('Can this sensor be believed?')).toContain('ten minutes at an open window');
  expect(await sentBy(`Correct by ${shown} PPM`)).toEqual([{ ...OFFERED, offset }]);
});

test('one press takes a correction back, also one that was added to another', async () => {
  renderSensor({ believable: true }, [], [OFFERED]);
  expect(cardText('Can this sensor be believed?')).toContain('CO2 is corrected by −38 PPM.');
  expect(await sentBy('Take the correction back')).toEqual([]);
  cleanup();
  renderSensor({ believable: true, offered_offset: -40 }, [], [OFFERED]);
  const both = await sentBy('Correct by −40 PPM');
  expect(both).toMatchObject([OFFERED, { metric: 'co2', offset: -78, factor: 1 }]);
  cleanup();
  renderSensor({ believable: true }, [], both);
  expect(await sentBy('Take the correction back')).toEqual([OFFERED]);
});

test('a day that the list cuts shows the number of all its airings', () => {
  const airings = Array.from({ length: 60 }, (_, i) =>
    airingAt(new Date(timeOf('2026-11-20T08:00') + i * 20 * 60_000).toISOString(), 5),
  );
  const span = { from: timeOf('2026-11-16T00:00'), to: timeOf('2026-11-23T00:00') };
  render(<AiringsCard {...{ airings, span }} now={span.to} />);
  expect(cardText('Airings this week')).toContain('60 airings, on 2 of 7 days');
  expect(rows().filter((row) => row?.includes('Nov'))).toEqual([
    'Sat 21 Nov, 12 airings',
    'Fri 20 Nov, 48 airings',
  ]);
  expect(rows().filter((row) => row?.includes('5 min'))).toHaveLength(20);
});

test.each([
  ['a week, the first airing of which began before it', '2026-11-16T00:00', '2026-11-15T23:50'],
  ['the last 7 days, which are parts of 8 days of the calendar', '2026-11-15T12:00', '2026-11-15T13:00'],
])('counts at most 7 days with airings in %s', (_, from, first) => {
  const airings = Array.from({ length: 8 }, (_, day) =>
    airingAt(new Date(timeOf(first) + day * 86_400_000 - (day === 7 ? 7_200_000 : 0)).toISOString(), 20),
  );
  const span = { from: timeOf(from), to: timeOf(from) + 7 * 86_400_000 };
  render(<AiringsCard {...{ airings, span }} now={span.to} />);
  expect(cardText('Airings this week')).toContain('8 airings, on 7 of 7 days');
});
