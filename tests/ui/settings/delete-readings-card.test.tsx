import { createRemixStub } from '@remix-run/testing';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DeleteReadingsCard } from '../../../app/ui/settings/delete-readings-card';
import { reading } from '../../support/readings/readings';

afterEach(() => vi.unstubAllGlobals());

const KEPT = {
  restore: '123456789012',
  deleted: 3,
  from: '2026-01-02T10:00:00.000Z',
  to: '2026-01-02T10:00:30.000Z',
  until: '2026-01-09T10:00:00.000Z',
};

const SUMMARY = {
  name: 'Den',
  newest: { ...reading(9), sensor: 'Den', created_at: '2026-01-02T12:00:00.000Z' },
  first_heard: '2026-01-02T10:00:00.000Z',
  last_heard: '2026-01-02T12:00:00.000Z',
};

/** Shows the card with a server that counts 42 readings, and keeps `kept` aside. */
async function show({ search = '', kept = [KEPT], hasReadings = true } = {}) {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit) => {
    requests.push(`${method} ${decodeURIComponent(address)}`);
    const answers: [string, unknown][] = [
      ['DELETE /api/data', { deleted: 42, restore: KEPT.restore, until: KEPT.until }],
      ['POST /api/restore', { restored: 2, conflicts: 1 }],
      ['GET /api/restore', kept],
      ['GET /api/summary', { readings: 42 }],
      ['GET /api/history', { step_seconds: 60, steps: [] }],
    ];
    const [, answer] = answers.find(([start]) => `${method} ${address}`.startsWith(start)) ?? [];
    return Response.json(answer);
  });
  const writeKey = { key: null, isKeyRejected: false, rememberKey: vi.fn(), rejectKey: vi.fn() };
  const summary = hasReadings ? SUMMARY : undefined;
  const Stub = createRemixStub([
    {
      path: '*',
      Component: () => <DeleteReadingsCard sensor="Den" isKeyNeeded={false} {...{ summary, writeKey }} />,
    },
  ]);
  render(<Stub initialEntries={[`/sensors${search}`]} />);
  await act(async () => {});
  return requests;
}

const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })));

test('says how many readings a span has, and deletes them only after a second press', async () => {
  const span = 'from=2026-01-02T10:00:00.000Z&to=2026-01-02T11:00:00.000Z';
  const requests = await show({ search: `?sensor=Den&${span}` });
  await waitFor(() => screen.getByText('42 readings in this time.'));
  expect(requests).toContain(`GET /api/summary?sensor=Den&${span}`);
  await press('Delete these readings');
  expect(requests.some((request) => request.startsWith('DELETE'))).toBe(false);
  await press('Press again to delete 42 readings');
  expect(requests).toContain(`DELETE /api/data?sensor=Den&${span}`);
  await waitFor(() => screen.getByText('42 readings deleted.'));
});

test('without a span, all readings are deleted', async () => {
  const requests = await show();
  await waitFor(() => screen.getByText('42 readings in this time.'));
  await press('Delete these readings');
  await press(/Press again/);
  expect(requests).toContain('DELETE /api/data?sensor=Den');
});

test('brings readings back, even of a sensor without others', async () => {
  const requests = await show({ hasReadings: false });
  expect(screen.queryByRole('form')).toBe(null);
  expect(screen.getByRole('listitem').textContent).toMatch(
    /^3 deleted readings, .* \(kept until .*\)Bring back$/,
  );
  await press('Bring back');
  expect(requests).toContain('POST /api/restore?id=123456789012');
  await waitFor(() =>
    screen.getByText('2 readings back. 1 stay deleted: the sensor has others at their times.'),
  );
});

test('shows nothing for a sensor that has and had no readings', async () => {
  await show({ hasReadings: false, kept: [] });
  expect(screen.queryByRole('region')).toBe(null);
});
