import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { GapList } from '../../../app/ui/chart/readings-chart';

const iso = (time: string) => new Date(time).toISOString();

/** Returns the text of a list of gaps with these local times. */
function shown(...times: [from: string, to: string][]): string | null {
  const gaps = times.map(([from, to], i) => ({
    start: i,
    end: i + 1,
    gap: { from: iso(from), to: iso(to) },
  }));
  return render(<GapList gaps={gaps} />).container.innerHTML.replaceAll(/ class="[^"]*"/g, '');
}

const NIGHT: [string, string] = ['2020-11-22T21:40', '2020-11-23T19:24'];
const SHORT: [string, string] = ['2020-11-23T20:00:05', '2020-11-23T20:04:15'];

test('shows the time and length of each gap, to the second if it is short', () => {
  expect(shown()).toBe('');
  expect(shown(NIGHT, SHORT)).toBe(
    '<p>Without readings: 22 Nov 2020 21:40 to 23 Nov 2020 19:24 (21 h 44 min), 23 Nov 2020 20:00:05 to 20:04:15 (4 min 10 s)</p>',
  );
});

test('folds many gaps, and shows their number and total length', () => {
  const later: [string, string][] = [
    ['2020-11-24T08:00', '2020-11-24T09:00'],
    ['2020-11-25T08:00', '2020-11-25T09:00'],
  ];
  const text = shown(NIGHT, SHORT, ...later);
  expect(text).toMatch(
    /^<details><summary>Without readings 4 times, 23 h 48 min in all<\/summary><ul><li>22 Nov 2020 21:40 to /,
  );
  expect(text?.match(/<li>/g)).toHaveLength(4);
});
