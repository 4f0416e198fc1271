import { expect, test } from 'vitest';
import { CO2 } from '../../../app/readings/metric';
import { chartData } from '../../../app/ui/chart/chart-model';
import { describeChart, pointText } from '../../../app/ui/chart/chart-text';
import { type RoomHistory, roomsModel } from '../../../app/ui/chart/rooms-model';
import { answerOf } from '../../support/history/history-answers';
import { reading, START, THRESHOLDS } from '../../support/readings/readings';

const MINUTE = 60_000;
const SPAN = { from: START, to: START + 120 * MINUTE };

/** A room with a reading every `everyMinutes`, except in the minutes for which `isMissing` returns true. */
function room(
  sensor: string,
  co2: number,
  everyMinutes: number,
  isMissing: (minute: number) => boolean = () => false,
): RoomHistory {
  const minutes = Array.from({ length: 120 / everyMinutes }, (_, i) => i * everyMinutes);
  const readings = minutes
    .filter((minute) => !isMissing(minute))
    .map((minute, i) =>
      reading(i + 1, {
        co2: co2 + i,
        voc: null,
        created_at: new Date(START + minute * MINUTE).toISOString(),
      }),
    );
  return { sensor, answer: answerOf(readings, SPAN, 120), answered: SPAN, first: START };
}

const modelOf = (...rooms: RoomHistory[]) =>
  roomsModel({ rooms, metric: [CO2], view: SPAN, thresholds: THRESHOLDS, now: SPAN.to });

/** The values at a minute, as the tooltip shows them. */
function valuesAt(model: ReturnType<typeof modelOf>, minute: number): string[] {
  const index = model.positions.findIndex((position) => position > START + minute * MINUTE);
  const point = model.points[index];
  return point ? pointText(point, model, new Date(START)).values.map(({ value }) => value) : [];
}

test('all rooms have the same points, and a value at the pointer, even one that sends less often', () => {
  const model = modelOf(room('Bedroom', 500, 1), room('Office', 900, 20));
  const [bedroom, office] = model.rooms ?? [];
  expect(bedroom?.points.length).toBe(model.positions.length);
  expect(office?.points.length).toBe(model.positions.length);
  expect([...model.positions].sort((a, b) => a - b)).toEqual(model.positions);
  expect(valuesAt(model, 42)).toEqual([expect.stringMatching(/^Bedroom 5\d\d/), 'Office 902 PPM']);
  expect(valuesAt(model, 52)).toEqual([expect.stringMatching(/^Bedroom 5\d\d/), 'Office 903 PPM']);
});

test('a gap of one room breaks its line and has no value; only a gap of all rooms is hatched', () => {
  const isInGap = (minute: number) => minute >= 40 && minute < 80;
  const one = modelOf(room('Bedroom', 500, 1, isInGap), room('Office', 900, 1));
  expect(one.gaps).toEqual([]);
  expect(valuesAt(one, 60)).toEqual(['Bedroom no readings', expect.stringMatching(/^Office 9/)]);
  const [bedroom, office] = chartData(one, []).datasets;
  expect(bedroom?.segment).toBeDefined();
  expect(office?.segment).toBeUndefined();
  const all = modelOf(
    room('Bedroom', 500, 1, isInGap),
    room('Office', 900, 1, (at) => at > 20 && at < 70),
  );
  expect(all.gaps).toHaveLength(1);
  expect(all.gaps[0]?.start).toBeGreaterThanOrEqual(START + 38 * MINUTE);
  expect(all.gaps[0]?.end).toBeLessThanOrEqual(START + 72 * MINUTE);
});

test('the axis fits all rooms, and the description names each', () => {
  const model = modelOf(room('Bedroom', 500, 1), room('', 2900, 10), {
    ...room('Attic', 1, 1),
    answer: null,
  });
  expect(model.scale.axisOf(CO2).max).toBeGreaterThan(2911);
  expect(describeChart(model, null, ' of 3 rooms')).toMatch(
    /^Line chart of 3 rooms: \d+ points\. CO2\. Bedroom between \d+ and \d+ PPM\. Unnamed sensor between 2900 and 2911 PPM\. Attic without readings\./,
  );
});

test('each room has its own colour and dash', () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const { datasets } = chartData(modelOf(...names.map((name, i) => room(name, 500 + i, 10))), []);
  expect(datasets.map(({ label }) => label)).toEqual(names);
  expect(new Set(datasets.map(({ borderDash }) => String(borderDash))).size).toBe(6);
  expect(new Set(datasets.map((dataset) => (dataset as { color?: string }).color)).size).toBe(6);
});
