import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DateField } from '../../../../app/ui/history/span/span-bar';

const { prototype } = HTMLInputElement;
const { showPicker } = prototype;

afterEach(() => {
  prototype.showPicker = showPicker;
});

function click(opened: () => void): void {
  prototype.showPicker = opened;
  render(<DateField title="Sat 21 Nov 2026" date="2026-11-21" max="2026-11-22" onChoose={() => {}} />);
  fireEvent.click(screen.getByLabelText(/^Date/));
}

test('a click on the date opens the calendar of the browser', () => {
  const open = vi.fn();
  click(open);
  expect(open).toHaveBeenCalledTimes(1);
});

test('shows a text field if the browser refuses to open the calendar', () => {
  click(() => {
    throw new DOMException('in a frame of another site', 'SecurityError');
  });
  expect(screen.getByLabelText<HTMLInputElement>(/^Date/).value).toBe('2026-11-21');
});
