import { createRemixStub } from '@remix-run/testing';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Note } from '../../../app/readings/note';
import { fieldTime } from '../../../app/ui/notes/note-form';
import { NotesCard } from '../../../app/ui/notes/notes-card';
import { STORAGE_KEY } from '../../../app/ui/posting/write-key';

const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;
const iso = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

const NOTES: Note[] = [
  { id: 1, sensor: 'Den', from: iso(-30), to: null, text: 'yesterday' },
  { id: 2, sensor: 'Den', from: iso(-25), to: iso(-1), text: 'window' },
  { id: 3, sensor: 'Den', from: iso(-2), to: null, text: 'candles' },
];

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Shows the card for the last day, with a server that answers every request with this status. */
async function show({
  status = 204,
  chosen = null,
  ...props
}: {
  status?: number;
  chosen?: number | null;
  isKeyNeeded?: boolean;
} = {}) {
  const requests: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    requests.push([address, init]);
    return new Response(status === 204 ? null : '{"id": 4}', {
      status,
      headers: { 'Content-Type': 'application/json' },
    });
  });
  const reload = vi.fn();
  const span = { from: NOW - 24 * HOUR, to: NOW + HOUR };
  const card = (chosen: number | null) => (
    <NotesCard
      sensor="Den"
      {...{ span, chosen, reload }}
      notes={NOTES}
      problem={null}
      hasLoaded
      now={NOW}
      isKeyNeeded={props.isKeyNeeded ?? false}
    />
  );
  const Stub = createRemixStub([{ path: '*', Component: () => card(chosen) }]);
  render(<Stub />);
  await act(async () => {});
  return { requests, reload };
}

const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => act(async () => void fireEvent.click(button(name)));

test('lists the notes that overlap the span, and links to them as CSV', async () => {
  await show();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('window'),
    expect.stringContaining('candles'),
  ]);
  expect(screen.getByRole('link').getAttribute('href')).toContain('/api/notes?sensor=Den&from=2026-01-30');
});

test('deletes a note at the second press, and forgets the first one when the button loses the focus', async () => {
  const { requests, reload } = await show();
  await press('Delete candles');
  fireEvent.blur(button('Press again to delete'));
  await press('Delete candles');
  expect(requests).toEqual([]);
  await press('Press again to delete');
  expect(requests).toEqual([['/api/notes?id=3', expect.objectContaining({ method: 'DELETE' })]]);
  expect(reload).toHaveBeenCalledOnce();
});

test('removes a note from the list if somebody else has deleted it', async () => {
  const { reload } = await show({ status: 404 });
  await press('Delete candles');
  await press('Press again to delete');
  expect(reload).toHaveBeenCalledOnce();
});

test('the form starts with the time chosen in the chart, and posts UTC', async () => {
  const { requests, reload } = await show({ status: 201, chosen: NOW - 3 * HOUR });
  await press('Add a note');
  const [text, time] = [
    screen.getByLabelText<HTMLInputElement>('Note'),
    screen.getByLabelText<HTMLInputElement>('Time'),
  ];
  expect(time.value).toBe(fieldTime(NOW - 3 * HOUR));
  fireEvent.change(text, { target: { value: 'tea' } });
  await press('Save the note');
  expect(JSON.parse(String(requests[0]?.[1].body))).toEqual({
    sensor: 'Den',
    text: 'tea',
    from: iso(-3),
    to: null,
  });
  expect(reload).toHaveBeenCalledOnce();
  expect(screen.queryByLabelText('Note')).toBeNull();
});

test('asks for the write key, and again after the server has rejected it', async () => {
  localStorage.setItem(STORAGE_KEY, 'old');
  const { reload } = await show({ status: 401, isKeyNeeded: true });
  await press('Add a note');
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'tea' } });
  await press('Save the note');
  expect(screen.getByRole('alert').textContent).toContain(
    "That isn't a valid write key. Nothing was changed.",
  );
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
  fireEvent.change(screen.getByLabelText(/enter its write key/), { target: { value: 'new' } });
  await press('Remember the key');
  expect(screen.getByLabelText('Note')).toBeDefined();
  expect(reload).not.toHaveBeenCalled();
});
