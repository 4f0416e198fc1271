import { describe, expect, test } from 'vitest';
import { CO2, metricOf } from '../../../app/readings/metric';
import { type IndoorAir, outdoorAdvice } from '../../../app/readings/room/outdoor-advice';
import { THRESHOLDS } from '../../support/readings/readings';

const adviceAbout = (room: Partial<IndoorAir>, pm25: number | null, ageMs: number | null = 60_000) =>
  outdoorAdvice(
    { level: 'poor', metric: CO2, pm25: null, ...room },
    { sensor: 'Garden', ageMs, pm25 },
    { ...THRESHOLDS, pm25: { good: 15, moderate: 35 } },
  );
const PM25 = metricOf('pm25');

describe('outdoor air', () => {
  test.each([
    [
      'poor',
      48,
      'Air for 5 minutes',
      'First air for 5 minutes, then keep the window closed: PM2.5 outdoors is 48 µg/m³.',
    ],
    ['moderate', 48, 'Keep the window closed', 'PM2.5 outdoors is 48 µg/m³. Air only if CO2 gets poor.'],
    ['good', 48, null, 'Keep the window closed: PM2.5 outdoors is 48 µg/m³.'],
    [
      'poor',
      180,
      'Keep the window closed',
      'PM2.5 outdoors is 180 µg/m³, which is worse than this air. Filter the air, or leave the room.',
    ],
  ] as const)('with %s CO2 and %d µg/m³ outdoors: %s', (level, pm25, headline, text) => {
    expect(adviceAbout({ level }, pm25)).toMatchObject({ headline, text });
  });

  test.each([
    ['clean air outdoors', { level: 'poor' as const }, 20],
    ['as much indoors', { level: 'poor' as const, pm25: 60 }, 48],
    ['no PM2.5 outdoors', { level: 'poor' as const }, null],
  ])('changes nothing with %s', (_, room, pm25) => {
    expect(adviceAbout(room, pm25)).toBe(null);
  });

  test.each([48, 180])('never keeps windows closed against carbon monoxide: %d µg/m³ outdoors', (pm25) => {
    for (const level of ['moderate', 'poor'] as const) {
      for (const isAiring of [false, true])
        expect(adviceAbout({ metric: metricOf('co'), level, isAiring }, pm25)).toBe(null);
    }
  });

  test('decides whether a window helps against particles', () => {
    const room = { metric: PM25, pm25: 40 };
    expect(adviceAbout(room, 48)?.text).toBe('PM2.5 outdoors is 48 µg/m³. Filter the air.');
    expect(adviceAbout(room, 5)?.text).toBe('Filter the air, or open a window: PM2.5 outdoors is 5 µg/m³.');
    expect(adviceAbout(room, 25)).toBe(null);
  });

  test('is unknown after an hour, which is said only where it matters', () => {
    const text = "Outdoor air is unknown: Garden's last reading is 3 h old.";
    expect(adviceAbout({}, 48, 3 * 3_600_000)).toMatchObject({ headline: null, replacesAdvice: false, text });
    expect(adviceAbout({}, null, null)?.text).toBe('Outdoor air is unknown: Garden has no recent readings.');
    expect(adviceAbout({ level: 'good' }, 48, 3 * 3_600_000)).toBe(null);
  });
});
