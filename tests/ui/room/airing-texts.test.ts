import { expect, test } from 'vitest';
import type { CurrentAiring, VentilationAnswer } from '../../../app/readings/room/ventilation-answer';
import { airingAdvice, airingText, forecastText } from '../../../app/ui/room/airing-texts';
import { THRESHOLDS } from '../../support/readings/readings';
import { currentAiring, ventilation } from '../../support/readings/room';

/** The verdict five minutes after the window was opened. */
const textOf = (airing: Partial<CurrentAiring>, known: Partial<VentilationAnswer> = {}, value = 1050) =>
  airingText(
    ventilation({ airing: currentAiring(airing), ...known }),
    { value, time: '2026-01-02T10:00:00.000Z' },
    THRESHOLDS.co2,
  );

test('says how much longer, how far CO2 fell, and how long airing usually takes', () => {
  expect(textOf({}, { usual_airing_minutes: [8, 12] })).toEqual({
    headline: 'About 4 more minutes of airing',
    detail: 'You are airing: CO2 fell from 1420 to 1050 PPM in 5 min. Here it usually takes 8 to 12 min.',
    progress: { share: 5 / 9, text: '5 of about 9 min' },
  });
});

test('leaves out the usual time if it is unknown', () => {
  expect(textOf({})?.detail).toBe('You are airing: CO2 fell from 1420 to 1050 PPM in 5 min.');
});

test('has no bar if the remaining time is unknown', () => {
  expect(textOf({ remaining_minutes: null })).toEqual({
    headline: 'You are airing',
    detail: 'CO2 fell from 1420 to 1050 PPM in 5 min.',
    progress: null,
  });
});

test('says when it is enough, with a full bar', () => {
  expect(textOf({ is_enough: true, remaining_minutes: null }, {}, 640)).toEqual({
    headline: 'Enough: close the window',
    detail: 'CO2 fell from 1420 to 640 PPM in 5 min.',
    progress: { share: 1, text: '5 min, enough' },
  });
});

test('does not say that CO2 fell if it did not', () => {
  expect(textOf({}, {}, 1430)?.detail).toBe('You are airing: CO2 is at 1430 PPM after 5 min.');
});

test('says where CO2 ends if people add too much, and once it no longer falls', () => {
  const end = { remaining_minutes: null, ends_at_ppm: 1340 };
  expect(textOf(end, {}, 1400)?.detail).toBe(
    'CO2 fell from 1420 to 1400 PPM in 5 min. With so many people it gets to about 1340 PPM.',
  );
  expect(textOf(end, {}, 1345)).toEqual({
    headline: 'CO2 no longer falls: 1345 PPM',
    detail: 'With so many people this window gives no more. CO2 fell from 1420 to 1345 PPM in 5 min.',
    progress: null,
  });
});

test('says nothing without an airing', () => {
  expect(
    airingText(ventilation(), { value: 1050, time: '2026-01-02T10:00:00.000Z' }, THRESHOLDS.co2),
  ).toBeNull();
});

test.each<[[number, number], string]>([
  [[0.2, 0.9], 'Less than a minute more of airing'],
  [[1, 1], 'About 1 more minute of airing'],
  [[0, 1], 'About 1 more minute of airing'],
  [[1, 3], 'About 2 more minutes of airing'],
  [[8, 12], 'About 10 more minutes of airing'],
  [[2, 10], 'About 2 to 10 more minutes of airing'],
])('%j minutes are "%s"', (remaining_minutes, headline) => {
  expect(textOf({ remaining_minutes })?.headline).toBe(headline);
});

test('the advice and the forecast are empty if nothing is known', () => {
  expect(airingAdvice(ventilation())).toBe('');
  expect(forecastText(ventilation())).toBe('');
});

test('the advice and the forecast have ranges, or one number', () => {
  expect(airingAdvice(ventilation({ usual_airing_minutes: [8, 12] }))).toBe('Airing takes 8 to 12 min here.');
  expect(airingAdvice(ventilation({ usual_airing_minutes: [8, 8] }))).toBe('Airing takes 8 min here.');
  const forecast = { threshold: 1000, minutes: [10, 20] as [number, number] };
  expect(forecastText(ventilation({ forecast }))).toBe('Reaches 1000 PPM in about 10 to 20 min.');
  expect(forecastText(ventilation({ forecast }), 'CO2')).toBe('CO2 reaches 1000 PPM in about 10 to 20 min.');
});
