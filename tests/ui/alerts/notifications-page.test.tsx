import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AirReport, DeliveryReport, SensorReport } from '../../../app/readings/air/air-report';
import { AddressCard, NotSetUp } from '../../../app/ui/alerts/notifications-page';
import { rulesText, SensorStates } from '../../../app/ui/alerts/sensor-states';
import { deliverySummary, TransitionList } from '../../../app/ui/alerts/transition-list';

const NOW = '2026-01-02T12:00:00.000Z';
const SETTINGS: AirReport['settings'] = {
  afterMs: 300_000,
  silentAfterMs: 900_000,
  on: ['poor', 'silent'],
  quiet: null,
  timeZone: 'UTC',
  againMs: null,
};

function renderSensors(...sensors: Partial<SensorReport>[]): string[] {
  return renderSome(sensors);
}

function renderSome(sensors: Partial<SensorReport>[], counted?: { sensorCount: number }): string[] {
  const known: SensorReport = {
    sensor: '',
    state: 'good',
    since: '2026-01-02T10:30:00.000Z',
    pending: [],
    newest: NOW,
    co2: 600,
    voc: null,
  };
  const report = {
    now: NOW,
    settings: SETTINGS,
    addresses: [],
    transitions: [],
    messages: [],
    sensorCount: sensors.length,
    ...counted,
  };
  render(<SensorStates report={{ ...report, sensors: sensors.map((one) => ({ ...known, ...one })) }} />);
  return screen.queryAllByRole('listitem').map((item) => item.textContent ?? '');
}

test('omits the name of a sole unnamed sensor, and missing metrics', () => {
  const [text] = renderSensors({});
  expect(text).toMatch(/^good for 1 h 30 minsince .*CO2 600 PPM$/);
});

test('shows the number of sensors when the list is incomplete', () => {
  renderSome([{ sensor: 'Lab' }, { sensor: 'Office' }], { sensorCount: 250 });
  expect(screen.getByText('2 of 250 sensors, those with the worst air.')).toBeDefined();
});

test('calls the unnamed sensor "unnamed" if others have names', () => {
  const texts = renderSensors({ sensor: 'Lab' }, {});
  expect(texts.map((text) => text.slice(0, 14))).toEqual(['Labgood for 1 ', 'Unnamed sensor']);
});

test.each([
  [
    { to: 'poor', since: '2026-01-02T11:58:00.000Z', at: '2026-01-02T12:03:00.000Z' },
    'poor in 3 min if this lasts',
  ],
  [{ to: 'poor', since: '2026-01-02T11:55:00.000Z', at: NOW }, 'poor with the next reading if this lasts'],
  [
    { to: 'silent', since: '2026-01-02T11:51:00.000Z', at: '2026-01-02T12:06:00.000Z' },
    'no reading for 9 min: silent in 6 min',
  ],
] as const)('explains the state %j', (pending, text) => {
  expect(renderSensors({ pending: [pending] })[0]).toContain(text);
});

test('shows the last reading of a silent sensor', () => {
  const silent = {
    state: 'silent',
    since: '2026-01-02T11:30:00.000Z',
    newest: '2026-01-02T11:30:00.000Z',
  } as const;
  expect(renderSensors(silent)[0]).toMatch(/^silent for 30 minlast reading: /);
});

test.each([
  [
    {},
    'A level counts once it has lasted 5 min. A sensor is silent after 15 min without a reading. Notifications are sent for poor, silent, and for the end of each.',
  ],
  [
    { afterMs: 0, quiet: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Berlin', againMs: 7_200_000 },
    'A level counts at once. A sensor is silent after 15 min without a reading. Notifications are sent for poor, silent, and for the end of each. Quiet hours: 22:00 to 07:00 (Europe/Berlin). Reminders are sent after 2 h.',
  ],
])('shows which notifications are sent, and when: %j', (changed, text) => {
  expect(rulesText({ ...SETTINGS, ...changed })).toBe(text);
});

const delivery = (state: DeliveryReport['state']): DeliveryReport => ({
  id: 'msg_1',
  address: 'ntfy://host/…',
  state,
  attempts: [],
});

test.each([
  [['delivered'], 'delivered'],
  [['delivered', 'delivered'], 'delivered to 2 addresses'],
  [['pending'], 'still to deliver'],
  [['delivered', 'pending', 'pending'], '2 still to deliver, 1 delivered'],
  [['failed', 'pending', 'delivered'], '1 given up, 1 still to deliver, 1 delivered'],
  [['failed'], 'given up'],
] as const)('summarizes the deliveries %j as %s', (states, text) => {
  expect(deliverySummary(states.map(delivery))).toBe(text);
});

test('distinguishes a failed delivery that will be retried from an untried one', () => {
  const attempts = [{ at: NOW, outcome: 'retry', answer: 'HTTP 503' } as const];
  expect(deliverySummary([{ ...delivery('pending'), attempts }])).toBe('still failing');
});

test('shows the result and the next attempt for each address', () => {
  const last = { at: NOW, outcome: 'retry', answer: 'HTTP 503' } as const;
  const failing = { address: 'a', last, failingSince: NOW, nextAttempt: NOW };
  const fine = {
    address: 'b',
    last: { ...last, outcome: 'delivered' },
    failingSince: null,
    nextAttempt: null,
  } as const;
  const unknown = { address: 'c', last: null, failingSince: null, nextAttempt: null };
  render(<AddressCard addresses={[failing, fine, unknown]} writeKey={null} onKeyRejected={() => {}} />);
  const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^afailing since .+: HTTP 503, next attempt .+/);
  expect(texts[1]).toMatch(/^blast delivered /);
  expect(texts[2]).toBe('cnothing sent lately');
});

test('lists the attempts for each address, even for one that was removed from the settings', () => {
  const transition = {
    sensor: '',
    at: NOW,
    from: 'good',
    to: 'poor',
    since: NOW,
    co2: 2100,
    voc: null,
  } as const;
  const attempts = [
    { at: '2026-01-02T12:00:01.000Z', outcome: 'retry', answer: 'HTTP 503' },
    { at: '2026-01-02T12:00:06.000Z', outcome: 'delivered', answer: 'HTTP 204' },
  ] as const;
  const deliveries = [
    { ...delivery('delivered'), attempts: [...attempts] },
    { ...delivery('pending'), address: null },
  ];
  render(
    <TransitionList
      transitions={[{ ...transition, untold: null, deliveries }]}
      messages={[]}
      quiet={null}
      hasSensorNames={false}
    />,
  );
  const row = screen.getAllByRole('listitem')[0] as HTMLElement;
  within(row).getByText('ntfy://host/…');
  within(row).getByText(/failed, will be retried: HTTP 503/);
  within(row).getByText(/delivered: HTTP 204/);
  within(row).getByText('an address that is no longer set');
  within(row).getByText('not tried yet');
});

test('lists reminders and transitions by time, with the text that was sent', () => {
  const at = (hour: number) => `2026-01-02T${hour}:00:00.000Z`;
  const values = { sensor: 'Lab', co2: 2100, voc: null };
  const change = {
    ...values,
    from: 'good' as const,
    since: NOW,
    untold: 'over' as const,
    deliveries: [],
  };
  const told = {
    ...values,
    id: 'msg_1',
    title: 'Lab: still poor air',
    kind: 'reminder',
    state: 'poor',
  } as const;
  const reminder = { ...told, deliveries: [delivery('delivered')] };
  render(
    <TransitionList
      transitions={[
        { ...change, at: at(14), to: 'silent', untold: 'quiet' },
        { ...change, at: at(10), to: 'poor' },
      ]}
      messages={[
        { ...reminder, at: at(13) },
        { ...reminder, at: at(12) },
      ]}
      quiet={{ from: '13:00', to: '16:53' }}
      hasSensorNames={true}
    />,
  );
  const list = screen.getAllByRole('list')[0] as HTMLElement;
  const rows = [...list.children].map(({ textContent }) => textContent);
  expect(rows.map((row) => row?.includes('reminder'))).toEqual([false, true, true, false]);
  expect(rows[0]).toMatch(/quiet hours: waits until 16:53$/);
  expect(rows[3]).toMatch(/not sent: already over when detected$/);
  expect(rows[1]).toMatch(/Labpoor.*CO2 2100 PPM – reminderdelivered/);
});

test.each(['NOTIFY_URLS', 'SUPABASE_SECRET_KEY'] as const)(
  'names the place where %s is set, without linking to a file',
  (missing) => {
    const providers = [{ name: 'ntfy', example: 'ntfys://ntfy.sh/TOPIC' }];
    const { textContent } = render(<NotSetUp missing={missing} providers={providers} />).container;
    expect(textContent).toContain('ntfys://ntfy.sh/TOPIC – ntfy');
    expect(textContent).toContain('mailto:ann@example.org – e-mail');
    expect(textContent).toContain(`Set ${missing} to `);
    expect(textContent).toContain("in airboard's own folder");
    expect(textContent).toContain('airboard --help shows its path');
    expect(textContent).not.toContain('docs/');
  },
);

test('shows the title of a summary, and marks the message that it replaced', () => {
  const replaced: DeliveryReport = { id: 'a', address: 'ntfys://ntfy.sh/…', state: 'replaced', attempts: [] };
  const summary = {
    id: 'b',
    at: NOW,
    kind: 'summary',
    sensor: '',
    state: 'poor',
    co2: null,
    voc: null,
  } as const;
  render(
    <TransitionList
      transitions={[]}
      messages={[{ ...summary, title: 'and 12 more sensors', deliveries: [replaced] }]}
      quiet={null}
      hasSensorNames
    />,
  );
  expect(screen.getByText('and 12 more sensors')).toBeDefined();
  expect(screen.getByText('replaced')).toBeDefined();
  expect(screen.getByText('not sent: replaced by a newer notification or a summary')).toBeDefined();
});
