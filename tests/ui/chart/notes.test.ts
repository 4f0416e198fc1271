import { expect, test } from 'vitest';
import { chartSeries } from '../../../app/readings/chart/chart-series';
import { DEFAULT_RANGE } from '../../../app/readings/chart/range';
import { MAIN_METRICS } from '../../../app/readings/metric';
import type { Note } from '../../../app/readings/note';
import { chartModel } from '../../../app/ui/chart/chart-model';
import { describeChart, pointText } from '../../../app/ui/chart/chart-text';
import { reading, START, THRESHOLDS } from '../../support/readings/readings';

const iso = (minute: number) => new Date(START + minute * 60_000).toISOString();

/** Ten readings, one a minute. */
const POINTS = chartSeries(
  Array.from({ length: 10 }, (_, i) => reading(i + 1, { created_at: iso(i) })),
  DEFAULT_RANGE,
);

const note = (text: string, from: number, to: number | null = null): Note => ({
  id: 1,
  sensor: '',
  from: iso(from),
  to: to === null ? null : iso(to),
  text,
});

const modelWith = (...notes: Note[]) => chartModel(POINTS, THRESHOLDS, MAIN_METRICS, [], notes);

test('a note lies between the points around it, and notes before the chart are omitted', () => {
  const { notes } = modelWith(
    note('tea', 2.5),
    note('window', 3, 6.25),
    note('before', -3),
    note('half', -3, 2),
  );
  expect(notes.map(({ start, end, note }) => [start, end, note.text])).toEqual([
    [2.5, 2.5, 'tea'],
    [3, 6.25, 'window'],
    [-1, 2, 'half'],
  ]);
});

test('the description of the chart contains the notes with their times', () => {
  const now = new Date(START);
  expect(describeChart(modelWith(note('tea', 2), note('window', 3, 6)), now)).toMatch(
    / 2 notes: tea, \d+:\d+:\d+; window, \d+:\d+:\d+ to \d+:\d+:\d+\. /,
  );
  expect(describeChart(modelWith(note('tea', 2)), null)).toContain(' One note. ');
  expect(describeChart(modelWith(), now)).not.toContain('note');
});

test('the tooltip shows the whole text of a note at its nearest point, and that of a span at each of its points', () => {
  const model = modelWith(note('tea', 2.4), note('window', 5, 7));
  const about = (i: number) => pointText(model.points[i] as never, model, new Date(START)).notes.join();
  expect([1, 2, 3].map((i) => about(i).includes('tea'))).toEqual([false, true, false]);
  expect([4, 5, 6, 7, 8].map((i) => about(i).includes('window'))).toEqual([false, true, true, true, false]);
});
