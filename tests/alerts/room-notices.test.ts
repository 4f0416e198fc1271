import { expect, test } from 'vitest';
import { ntfy } from '../../app/providers/ntfy';
import type { RoomNoticeKind } from '../../app/readings/air/air-report';
import type { VentilationAnswer } from '../../app/readings/room/ventilation-answer';
import { airReadings, minute, startWatching } from '../support/alerts/watching';

const NOTHING: VentilationAnswer = {
  sensor: 'Den',
  at: minute(0),
  believable: true,
  reasons: [],
  offered_offset: null,
  air_changes: null,
  airing: null,
  usual_airing_minutes: null,
  forecast: null,
  rebreathed: null,
  moisture: null,
  outdoors: null,
};

/** Watches the sensor `Den`. `set` sets the answer about its room. */
async function watchRoom(kinds: RoomNoticeKind[], quiet: { from: string; to: string } | null = null) {
  let room = NOTHING;
  const rooms = { kinds, addresses: ['b'], roomNow: () => room };
  const watching = await startWatching({ quiet, publicUrl: 'https://air.example' }, { rooms });
  return {
    ...watching,
    /** Judges a reading of 640 PPM at this time, with this answer about the room. */
    async set(minutes: number, answer: Partial<VentilationAnswer>) {
      room = { ...NOTHING, ...answer, at: minute(minutes) };
      watching.at(minutes);
      await watching.insert(airReadings([[minutes, 640]], 'Den'));
    },
  };
}

const airing = (since: number, is_enough: boolean) => ({
  airing: { since: minute(since), from_ppm: 1420, remaining_minutes: null, ends_at_ppm: null, is_enough },
});

test('notifies once of each sufficient airing, even if its start is corrected later', async () => {
  const room = await watchRoom(['aired']);
  await room.set(1, airing(0, false));
  expect(room.notified()).toEqual([]);
  await room.set(2, airing(0, true));
  await room.set(3, airing(1, true));
  await room.restart();
  await room.set(4, airing(1, true));
  await room.set(5, {});
  await room.set(9, airing(6, true));
  expect(room.notified()).toEqual(['aired: Den: close the window', 'aired: Den: close the window']);
  const [event] = room.events();
  expect(event).toMatchObject({
    text: 'CO2 fell from 1420 to 640 PPM since Fri 10:00. Enough: close the window.',
    state: 'good',
    before: 'good',
    at: minute(2),
    since: minute(0),
    co2: 640,
    url: expect.stringContaining('/history?'),
  });
  expect(room.alerts.messages[0]?.addresses).toEqual(['b']);
  const { body } = ntfy.request({ ...event, state: 'poor' } as never, new URL('http://host/topic'), null);
  expect(body).toMatchObject({ priority: 3, tags: ['white_check_mark'] });
});

test('notifies of an airing that the humidity shows, where CO2 isn’t measured', async () => {
  const room = await watchRoom(['aired']);
  const inHumidity = (is_enough: boolean): Partial<VentilationAnswer> => ({
    moisture: {
      ...{ absolute_humidity: 6.1, absolute_humidity_error: 0.5, dew_point: 4, mould: null },
      ...{ outdoor_absolute_humidity: null, airing_will: null },
      airing: { since: minute(0), from_g_m3: 10.3, to_g_m3: 6.1, is_enough },
    },
  });
  await room.set(1, inHumidity(false));
  await room.set(2, inHumidity(true));
  await room.set(3, inHumidity(true));
  expect(room.notified()).toEqual(['aired: Den: close the window']);
  expect(room.events()[0]?.text).toBe(
    'The air gets no drier: from 10.3 to 6.1 g/m³ of water since Fri 10:00. Enough: close the window.',
  );
});

test('sends nothing about airings in quiet hours, and afterwards only about one that still lasts', async () => {
  const room = await watchRoom(['aired'], { from: '10:00', to: '10:10' });
  await room.set(2, airing(0, true));
  await room.set(9, airing(7, true));
  expect(room.notified()).toEqual([]);
  await room.set(10, airing(7, true));
  expect(room.events().map(({ since }) => since)).toEqual([minute(7)]);
});

test('notifies once of each reason not to believe a sensor', async () => {
  const room = await watchRoom(['sensor']);
  const wrong = (...reasons: string[]) => ({ believable: false, reasons });
  await room.set(
    1,
    wrong('Airing: none.', 'Sensor: its lowest values of 5 days are 300 PPM.', 'Sensor: more.'),
  );
  await room.set(2, wrong('Sensor: its lowest values of 6 days are 305 PPM.'));
  await room.restart();
  await room.set(3, wrong('Sensor: its lowest values of 6 days are 306 PPM.'));
  await room.set(4, wrong('Sensor: CO2 was exactly the same for 5 hours.'));
  expect(room.events().map(({ title, text }) => `${title}. ${text}`)).toEqual([
    "Den: its CO2 can't be believed. Its lowest values of 5 days are 300 PPM.",
    "Den: its CO2 can't be believed. CO2 was exactly the same for 5 hours.",
  ]);
});

test('notifies of neither without its value in NOTIFY_ON', async () => {
  const room = await watchRoom([]);
  await room.set(2, { ...airing(0, true), believable: false, reasons: ['Sensor: wrong.'] });
  expect(room.notified()).toEqual([]);
});
