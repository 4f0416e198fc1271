import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PostPanel } from '../../../app/ui/posting/post-panel';
import { RandomDataButton } from '../../../app/ui/posting/random-data-button';
import type { SubmissionOutcome, SubmitReading } from '../../../app/ui/posting/submit-reading';
import { reading } from '../../support/readings';

const stored: SubmissionOutcome = { kind: 'stored', reading: reading(7, { co2: 415, voc: 120.5 }) };
const CLOCK = new Date(2026, 0, 2, 9, 5, 3);

beforeEach(() => {
  vi.useFakeTimers({ now: CLOCK });
});

/** Shows the panel; every post has this outcome. */
function show(outcome: SubmissionOutcome = stored) {
  const post = vi.fn<SubmitReading>(async () => outcome);
  render(<PostPanel post={post} />);
  return post;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = (name: string) => act(async () => button(name).click());
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

test('the clock shows local time, and moves every second', async () => {
  show();
  const clock = screen.getByTestId('clock');
  expect(clock.textContent).toBe(CLOCK.toLocaleTimeString());
  await pass(999);
  expect(clock.textContent).toBe(CLOCK.toLocaleTimeString());
  await pass(1);
  expect(clock.textContent).toBe(new Date(CLOCK.getTime() + 1000).toLocaleTimeString());
});

test.each([
  ['415', '120'],
  [' 4.15e2', '-1'],
  ['abc', ''],
  ['415,5', '<b>'],
])('what is typed (%j and %j) is sent as it is, as text, and stays', async (co2, voc) => {
  const post = show();
  type('CO2 reading:', co2);
  type('VOC reading:', voc);
  await press('POST');
  expect(post.mock.calls).toEqual([[{ co2, voc }]]);
  expect([field('CO2 reading:').value, field('VOC reading:').value]).toEqual([co2, voc]);
});

test('Enter in a field sends, too', async () => {
  const post = show();
  await act(async () => fireEvent.submit(field('CO2 reading:').form as HTMLFormElement));
  expect(post).toHaveBeenCalledTimes(1);
});

test('a post that was stored is told with what was stored', async () => {
  show();
  await press('POST');
  expect(screen.getByRole('status').textContent).toContain('Stored as number 7: CO2 415 PPM, VOC 120.5 PPB');
});

test('the server’s reasons stand beside the fields they concern, until the next post', async () => {
  const post = show({
    kind: 'refused',
    isKeyRefused: false,
    detail: 'The reading was refused.',
    errors: [{ field: 'voc', detail: 'is empty: send a number' }],
  });
  await press('POST');
  expect(screen.getByRole('alert').textContent).toBe('The reading was refused.');
  const [co2, voc] = [field('CO2 reading:'), field('VOC reading:')];
  expect([co2.getAttribute('aria-invalid'), voc.getAttribute('aria-invalid')]).toEqual(['false', 'true']);
  const reason = document.getElementById(voc.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('VOC is empty: send a number');
  expect(co2.getAttribute('aria-describedby')).toBeNull();

  post.mockResolvedValue(stored);
  await press('POST');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/is empty/)).toBeNull();
});

test('a post without an answer is said to be unknown, and is not sent again', async () => {
  const post = show({ kind: 'unknown', detail: 'It is not known whether the reading was stored.' });
  await press('POST');
  expect(screen.getByRole('alert').textContent).toContain('not known');
  await pass(14_000);
  expect(post).toHaveBeenCalledTimes(1);
});

test('the counters start at 1 and 100, are sent as numbers first, and then change', async () => {
  const post = show();
  for (let i = 0; i < 3; i++) await press('Reading +1');
  expect(post.mock.calls).toEqual([[{ co2: 1, voc: 100 }], [{ co2: 2, voc: 99 }], [{ co2: 3, voc: 98 }]]);
  expect(screen.getByText(/^next: CO2/).textContent).toBe('next: CO2 4, VOC 97');
});

test('the VOC counter goes below zero', async () => {
  const post = show();
  for (let i = 0; i < 102; i++) await press('Reading +1');
  expect(post.mock.lastCall).toEqual([{ co2: 102, voc: -1 }]);
});

test('two presses before an answer send two different readings', () => {
  const post = show();
  post.mockImplementation(() => new Promise(() => {}));
  act(() => button('Reading +1').click());
  act(() => button('Reading +1').click());
  expect(post.mock.calls).toEqual([[{ co2: 1, voc: 100 }], [{ co2: 2, voc: 99 }]]);
});

test('a random reading is posted every 15,000 ms, not before, by itself', async () => {
  const post = show();
  await pass(14_999);
  expect(post).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(post).toHaveBeenCalledTimes(1);
  await pass(14_999);
  expect(post).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(post).toHaveBeenCalledTimes(2);
  await pass(10 * 15_000);
  expect(post).toHaveBeenCalledTimes(12);
  for (const [{ co2, voc }] of post.mock.calls as [{ co2: number; voc: number }][]) {
    expect(Number.isInteger(co2) && co2 >= 0 && co2 < 3000).toBe(true);
    expect(Number.isInteger(voc) && voc >= 0 && voc < 600).toBe(true);
  }
});

test('the countdown tells when the next one is due', async () => {
  show();
  const countdown = screen.getByText(/^next in/);
  expect(countdown.textContent).toBe('next in 15 s');
  await pass(1000);
  expect(countdown.textContent).toBe('next in 14 s');
  await pass(13_000);
  expect(countdown.textContent).toBe('next in 1 s');
  await pass(1000);
  expect(countdown.textContent).toBe('next in 15 s');
});

test('the switch pauses the random readings, and starts them anew', async () => {
  const post = show();
  const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Random reading every 15 s' });
  await pass(10_000);
  await act(async () => toggle.click());
  expect(screen.getByText('paused')).toBeTruthy();
  await pass(600_000);
  expect(post).toHaveBeenCalledTimes(0);
  await act(async () => toggle.click());
  expect(screen.getByText('next in 15 s')).toBeTruthy();
  await pass(15_000);
  expect(post).toHaveBeenCalledTimes(1);
});

test.each([-3_600_000, -500, 500, 3_600_000])(
  'the posts keep their beat when the viewer’s clock is set by %i ms',
  async (ms) => {
    const post = show();
    await pass(16_000);
    vi.setSystemTime(Date.now() + ms);
    await pass(13_999);
    expect(post).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(post).toHaveBeenCalledTimes(2);
    expect(screen.getByText('next in 15 s')).toBeTruthy();
  },
);

test('a panel that is left posts no more', async () => {
  const post = vi.fn<SubmitReading>(async () => stored);
  render(<PostPanel post={post} />).unmount();
  await pass(60_000);
  expect(post).toHaveBeenCalledTimes(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('POST RANDOM DATA posts one random reading a press, and speaks only of what failed', async () => {
  const post = vi.fn<SubmitReading>(async () => stored);
  render(<RandomDataButton post={post} />);
  await press('POST RANDOM DATA');
  expect(post).toHaveBeenCalledTimes(1);
  expect(post.mock.lastCall?.[0]).toEqual({ co2: expect.any(Number), voc: expect.any(Number) });
  expect(screen.queryByRole('status')).toBeNull();
  post.mockResolvedValue({ kind: 'refused', isKeyRefused: false, detail: 'The disk is full.', errors: [] });
  await press('POST RANDOM DATA');
  expect(screen.getByRole('alert').textContent).toBe('The disk is full.');
});

/** Shows the panel; a test gives each post its answer when it likes. */
function showPending() {
  const answers: ((outcome: SubmissionOutcome) => void)[] = [];
  const post = vi.fn<SubmitReading>(() => new Promise((resolve) => answers.push(resolve)));
  render(<PostPanel post={post} />);
  return { post, answer: (i: number, outcome: SubmissionOutcome) => act(async () => answers[i]?.(outcome)) };
}

test('what is typed is sent once while its answer is still to come, and a long wait is told', async () => {
  const { post, answer } = showPending();
  await press('POST');
  await press('POST');
  expect(post).toHaveBeenCalledTimes(1);
  await pass(300);
  screen.getByText('Sending…');
  await press('POST');
  expect(post).toHaveBeenCalledTimes(1);
  await answer(0, stored);
  expect(screen.queryByText('Sending…')).toBeNull();
  screen.getByText(/^Stored as number 7/);
  await press('POST');
  expect(post).toHaveBeenCalledTimes(2);
});

test('an answer that a later press has overtaken is not shown', async () => {
  const { answer } = showPending();
  await press('Reading +1');
  await press('Reading +1');
  await answer(1, stored);
  await answer(0, { kind: 'unknown', detail: 'No answer came.' });
  screen.getByText(/^Stored as number 7/);
  expect(screen.queryByText('No answer came.')).toBeNull();
});
