import { createRemixStub } from '@remix-run/testing';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { MAIN_METRICS, METRICS, METRICS_IN_FAHRENHEIT } from '../../../app/readings/metric';
import { MetricsContext } from '../../../app/ui/page-contexts';
import { PostPanel } from '../../../app/ui/posting/post-panel';
import { RandomDataButton } from '../../../app/ui/posting/random-data-button';
import type { SubmissionOutcome, SubmitReading } from '../../../app/ui/posting/submission';
import { WriteKeyForm } from '../../../app/ui/posting/write-key';
import { reading } from '../../support/readings/readings';

const stored: SubmissionOutcome = { kind: 'stored', reading: reading(7, { co2: 415, voc: 120.5 }) };
const CLOCK = new Date(2026, 0, 2, 9, 5, 3);

beforeEach(() => {
  vi.useFakeTimers({ now: CLOCK });
});

const defaults = {
  sensor: null as string | null,
  isUnnamed: true,
  offersRandomPosts: true,
  hasDevicePosted: false,
  metrics: MAIN_METRICS,
};

/** Renders the panel. Every submission has this outcome. */
function show(outcome: SubmissionOutcome = stored, props: Partial<typeof defaults> = {}) {
  const submit = vi.fn<SubmitReading>(async () => outcome);
  render(<PostPanel submit={submit} {...defaults} {...props} />);
  return submit;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = (name: string) => act(async () => button(name).click());
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
/** Types a value and submits it. */
function post() {
  type('CO2 reading:', '415');
  return press('POST');
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

test('shows a 24-hour local clock that updates every second', async () => {
  show();
  const clock = screen.getByTestId('clock');
  expect(clock.textContent).toBe(CLOCK.toLocaleTimeString([], { hourCycle: 'h23' }));
  await pass(999);
  expect(clock.textContent).toBe(CLOCK.toLocaleTimeString([], { hourCycle: 'h23' }));
  await pass(1);
  expect(clock.textContent).toBe(
    new Date(CLOCK.getTime() + 1000).toLocaleTimeString([], { hourCycle: 'h23' }),
  );
});

test.each([
  ['415', '120'],
  [' 4.15e2', '-1'],
  ['abc', '-'],
  ['415,5', '<b>'],
])('submits the typed text (%j and %j) unchanged, and keeps it in the fields', async (co2, voc) => {
  const submit = show();
  type('CO2 reading:', co2);
  type('VOC reading:', voc);
  await press('POST');
  expect(submit.mock.calls).toEqual([[{ co2, voc }]]);
  expect([field('CO2 reading:').value, field('VOC reading:').value]).toEqual([co2, voc]);
});

test('submits on Enter in a field', async () => {
  const submit = show();
  type('CO2 reading:', '415');
  await act(async () => fireEvent.submit(field('CO2 reading:').form as HTMLFormElement));
  expect(submit).toHaveBeenCalledTimes(1);
});

test('asks for each metric, and submits those that are not empty', async () => {
  const submit = show(stored, { metrics: METRICS.filter(({ field }) => field !== 'voc') });
  expect(
    screen.getAllByRole<HTMLInputElement>('textbox').map((input) => input.labels?.[0]?.textContent),
  ).toEqual([
    'CO2 reading:',
    'VOC index reading:',
    'NOx index reading:',
    'Formaldehyde reading:',
    'CO reading:',
    'NO2 reading:',
    'Ozone reading:',
    'Radon reading:',
    'PM1 reading:',
    'PM2.5 reading:',
    'PM4 reading:',
    'PM10 reading:',
    'Temperature reading:',
    'Humidity reading:',
    'Pressure reading:',
    'Noise reading:',
    'Light reading:',
  ]);
  type('CO2 reading:', ' ');
  type('Temperature reading:', ' 21.5');
  await press('POST');
  expect(submit.mock.calls).toEqual([[{ temperature: ' 21.5' }]]);
});

test('says that nothing was sent if every field is empty, until there is a value', async () => {
  const submit = show();
  await post();
  type('CO2 reading:', ' ');
  await press('POST');
  expect(submit).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('alert').textContent).toBe('Nothing was sent: enter at least one value.');
  expect(screen.queryByText(/^Stored/)).toBeNull();
  type('VOC reading:', '120');
  await press('POST');
  expect(submit.mock.lastCall).toEqual([{ voc: '120' }]);
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText(/^Stored as reading 7/);
});

/** The text that screen readers announce when it changes. */
const announced = () =>
  [...screen.queryAllByRole('status'), ...screen.queryAllByRole('alert')].map(
    ({ textContent }) => textContent,
  );

test.each(['POST', 'Reading +1'])('%s shows the stored reading and announces it once', async (name) => {
  show();
  const regions = screen.getAllByRole('status');
  expect(announced().join('')).toBe('');
  type('CO2 reading:', '415');
  await press(name);
  expect(screen.getAllByRole('status')).toEqual(regions);
  const texts = announced().filter(Boolean);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('Stored as reading 7: CO2 415 PPM, VOC 120.5 PPB');
});

test.each([
  ['stored', stored, 'Stored as reading 7'],
  ['lost', { kind: 'unknown', detail: 'No answer came.' }, 'No answer came.'],
] as const)('an automatic reading that is %s is shown, but not announced', async (_, outcome, text) => {
  const submit = show(outcome);
  await pass(45_000);
  expect(submit).toHaveBeenCalledTimes(3);
  expect(screen.getByText(new RegExp(`^${text}`)).closest('[role], [aria-live]')).toBeNull();
  expect(announced().join('')).toBe('');
});

test('shows the errors of the server next to their fields until the next submission', async () => {
  const submit = show({
    kind: 'rejected',
    isKeyRejected: false,
    detail: 'The reading was refused.',
    errors: [{ field: 'voc', detail: 'is empty: send a number' }],
  });
  await post();
  expect(screen.getByRole('alert').textContent).toBe('The reading was refused.');
  const [co2, voc] = [field('CO2 reading:'), field('VOC reading:')];
  expect([co2.getAttribute('aria-invalid'), voc.getAttribute('aria-invalid')]).toEqual(['false', 'true']);
  const error = document.getElementById(voc.getAttribute('aria-describedby') ?? '');
  expect(error?.textContent).toBe('VOC is empty: send a number');
  expect(co2.getAttribute('aria-describedby')).toBeNull();

  submit.mockResolvedValue(stored);
  await post();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/is empty/)).toBeNull();
});

test('says that the outcome is unknown without a response, and does not retry', async () => {
  const submit = show({ kind: 'unknown', detail: 'The reading may or may not be stored.' });
  await post();
  expect(screen.getByRole('alert').textContent).toContain('may or may not');
  await pass(14_000);
  expect(submit).toHaveBeenCalledTimes(1);
});

test('submits the counters as numbers from 1 and 100, then changes them', async () => {
  const submit = show();
  for (let i = 0; i < 3; i++) await press('Reading +1');
  expect(submit.mock.calls).toEqual([[{ co2: 1, voc: 100 }], [{ co2: 2, voc: 99 }], [{ co2: 3, voc: 98 }]]);
  expect(screen.getByText(/^next: CO2/).textContent).toBe('next: CO2 4, VOC 97');
});

test('the VOC counter goes below zero', async () => {
  const submit = show();
  for (let i = 0; i < 102; i++) await press('Reading +1');
  expect(submit.mock.lastCall).toEqual([{ co2: 102, voc: -1 }]);
});

test('two clicks before a response submit two readings', () => {
  const submit = show();
  submit.mockImplementation(() => new Promise(() => {}));
  act(() => button('Reading +1').click());
  act(() => button('Reading +1').click());
  expect(submit.mock.calls).toEqual([[{ co2: 1, voc: 100 }], [{ co2: 2, voc: 99 }]]);
});

test('submits a random reading every 15,000 ms, not earlier', async () => {
  const submit = show();
  await pass(14_999);
  expect(submit).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(submit).toHaveBeenCalledTimes(1);
  await pass(14_999);
  expect(submit).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(submit).toHaveBeenCalledTimes(2);
  await pass(10 * 15_000);
  expect(submit).toHaveBeenCalledTimes(12);
  for (const [{ co2, voc }] of submit.mock.calls as [{ co2: number; voc: number }][]) {
    expect(Number.isInteger(co2) && co2 >= 0 && co2 < 3000).toBe(true);
    expect(Number.isInteger(voc) && voc >= 0 && voc < 600).toBe(true);
  }
});

test('counts down to the next reading', async () => {
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

test('the switch stops and restarts the random readings', async () => {
  const submit = show();
  const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Random reading every 15 s' });
  await pass(10_000);
  await act(async () => toggle.click());
  expect(screen.getByText('paused')).toBeTruthy();
  await pass(600_000);
  expect(submit).toHaveBeenCalledTimes(0);
  await act(async () => toggle.click());
  expect(screen.getByText('next in 15 s')).toBeTruthy();
  await pass(15_000);
  expect(submit).toHaveBeenCalledTimes(1);
});

test('warns that random readings mix with those of a device, while they are on', async () => {
  show(stored, { hasDevicePosted: true });
  const toggle = screen.getByRole<HTMLInputElement>('switch');
  expect(screen.getByRole('note').textContent).toMatch(/^A device has posted.*mix with its history/);
  expect(screen.getByText(/^next in/).parentElement?.contains(screen.getByRole('note'))).toBe(true);
  await act(async () => toggle.click());
  expect(screen.queryByRole('note')).toBeNull();
});

test('does not mention a device if none has posted', () => {
  show();
  expect(screen.queryByRole('note')).toBeNull();
});

test('has neither counters nor a switch, and submits nothing automatically, if random posts are off', async () => {
  const submit = show(stored, { offersRandomPosts: false });
  await pass(600_000);
  expect(submit).toHaveBeenCalledTimes(0);
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['POST']);
  await post();
  expect(submit).toHaveBeenCalledTimes(1);
});

test('offers no random readings for a named sensor, and links to the unnamed one', async () => {
  const submit = vi.fn<SubmitReading>(async () => stored);
  const Panel = () => <PostPanel submit={submit} {...defaults} sensor="Bedroom" isUnnamed={false} />;
  const Stub = createRemixStub([{ path: '/postdata', Component: Panel }]);
  render(<Stub initialEntries={['/postdata?sensor=Bedroom']} />);
  await pass(600_000);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['POST']);
  expect(screen.queryByRole('switch')).toBeNull();
  expect(submit).toHaveBeenCalledTimes(0);
  expect(screen.getByRole('link', { name: 'unnamed sensor' }).getAttribute('href')).toBe('/postdata?sensor=');
  await post();
  expect(submit).toHaveBeenCalledTimes(1);
});

test.each([-3_600_000, -500, 500, 3_600_000])(
  'submits at the same interval if the clock of the viewer is off by %i ms',
  async (ms) => {
    const submit = show();
    await pass(16_000);
    vi.setSystemTime(Date.now() + ms);
    await pass(13_999);
    expect(submit).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(submit).toHaveBeenCalledTimes(2);
    expect(screen.getByText('next in 15 s')).toBeTruthy();
  },
);

test('stops submitting when it unmounts', async () => {
  const submit = vi.fn<SubmitReading>(async () => stored);
  render(<PostPanel submit={submit} {...defaults} />).unmount();
  await pass(60_000);
  expect(submit).toHaveBeenCalledTimes(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('POST RANDOM DATA submits one random reading per click, and shows failures and stored readings', async () => {
  const submit = vi.fn<SubmitReading>(async () => stored);
  render(<RandomDataButton submit={submit} />);
  await press('POST RANDOM DATA');
  expect(submit).toHaveBeenCalledTimes(1);
  expect(submit.mock.lastCall?.[0]).toEqual({ co2: expect.any(Number), voc: expect.any(Number) });
  expect(screen.getByRole('status').textContent).toContain('Stored as reading 7: CO2 415 PPM');
  expect(screen.getByRole('status').className).toBe('sr-only');
  submit.mockResolvedValue({
    kind: 'rejected',
    isKeyRejected: false,
    detail: 'The disk is full.',
    errors: [],
  });
  await press('POST RANDOM DATA');
  expect(announced()).toEqual(['', 'The disk is full.']);
});

/** Renders the panel. The test decides when each submission gets its outcome. */
function showPending() {
  const outcomes: ((outcome: SubmissionOutcome) => void)[] = [];
  const submit = vi.fn<SubmitReading>(() => new Promise((resolve) => outcomes.push(resolve)));
  render(<PostPanel submit={submit} {...defaults} />);
  return {
    submit,
    respond: (i: number, outcome: SubmissionOutcome) => act(async () => outcomes[i]?.(outcome)),
  };
}

test('submits typed values once while waiting, and shows a slow submission as sending', async () => {
  const { submit, respond } = showPending();
  await post();
  await post();
  expect(submit).toHaveBeenCalledTimes(1);
  await pass(300);
  screen.getByText('Sending…');
  expect(announced().join('')).toBe('');
  await post();
  expect(submit).toHaveBeenCalledTimes(1);
  await respond(0, stored);
  expect(screen.queryByText('Sending…')).toBeNull();
  screen.getByText(/^Stored as reading 7/);
  await post();
  expect(submit).toHaveBeenCalledTimes(2);
});

test('ignores the outcome of an earlier submission', async () => {
  const { respond } = showPending();
  await press('Reading +1');
  await press('Reading +1');
  await respond(1, stored);
  await respond(0, { kind: 'unknown', detail: 'No answer came.' });
  screen.getByText(/^Stored as reading 7/);
  expect(screen.queryByText('No answer came.')).toBeNull();
});

test('the form for the write key has a user name, so password managers save the key', () => {
  const { container } = render(
    <WriteKeyForm title="Write key" purpose="post" isRejected={false} onKey={() => {}} />,
  );
  const fields = [...container.querySelectorAll('input')];
  expect(fields.map(({ autocomplete }) => autocomplete)).toEqual(['username', 'current-password']);
  expect(fields[0]?.hidden).toBe(true);
});

test('a viewer of °F reads beside a temperature that it is posted in °C', () => {
  const notes = () =>
    METRICS.map(({ name }) => field(`${name} reading:`).getAttribute('aria-describedby'))
      .filter((id) => id !== null)
      .map((id) => document.getElementById(id)?.textContent);
  show(stored, { metrics: METRICS });
  expect(screen.getByText('°C')).toBeTruthy();
  expect(notes()).toEqual([]);
  cleanup();
  render(
    <MetricsContext.Provider value={METRICS_IN_FAHRENHEIT}>
      <PostPanel submit={async () => stored} {...defaults} metrics={METRICS} />
    </MetricsContext.Provider>,
  );
  expect(notes()).toEqual(['°C, not °F']);
});
