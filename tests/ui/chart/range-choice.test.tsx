import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DEFAULT_RANGE, RANGES } from '../../../app/readings/chart/range';
import { RangeButtons } from '../../../app/ui/chart/range-choice';

function show(count: number, selected = DEFAULT_RANGE) {
  const onSelect = vi.fn();
  render(<RangeButtons selected={selected} count={count} onSelect={onSelect} />);
  return { onSelect, buttons: screen.getAllByRole<HTMLButtonElement>('button') };
}

const enabled = (buttons: HTMLButtonElement[]) =>
  buttons.filter(({ disabled }) => !disabled).map(({ textContent }) => textContent);

test.each([
  [0, ['10MIN']],
  [239, ['10MIN']],
  [240, ['10MIN', '1HR']],
  [1439, ['10MIN', '1HR']],
  [1440, ['10MIN', '1HR', '6HR']],
  [5669, ['10MIN', '1HR', '6HR']],
  [5670, ['10MIN', '1HR', '6HR', '24HR']],
  [5760, ['10MIN', '1HR', '6HR', '24HR']],
])('with %i readings, enables %j', (count, names) => {
  const { buttons } = show(count);
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['10MIN', '1HR', '6HR', '24HR']);
  expect(enabled(buttons)).toEqual(names);
});

test('marks the selected range with aria-pressed', () => {
  const { buttons } = show(5760, RANGES[2]);
  expect(buttons.map((button) => button.getAttribute('aria-pressed'))).toEqual([
    'false',
    'false',
    'true',
    'false',
  ]);
});

test('selects a range on click, and says on a disabled button how many readings it needs', () => {
  const { buttons, onSelect } = show(239);
  for (const button of buttons) fireEvent.click(button);
  expect(onSelect.mock.calls).toEqual([[RANGES[0]]]);
  expect(buttons[1]?.title).toBe('from 240 readings, 239 so far');
  expect(buttons[0]?.title).toBe('');
});

test('keeps the space for the next range when all are enabled', () => {
  const noteBelow = () => screen.getByRole('group', { name: 'Range of the chart' }).nextElementSibling;
  show(239);
  expect(noteBelow()?.textContent).toBe('The next range opens at 240 readings: 239 so far');
  cleanup();
  show(5670);
  expect(noteBelow()?.textContent).toBe('');
});
