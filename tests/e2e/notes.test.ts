import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Note } from '../../app/readings/note';
import { openPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const KEY = 'correct-horse-battery';
const WITH_KEY = { Authorization: `Bearer ${KEY}` };

const chromium = withChromium();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { WRITE_KEY: KEY } });
  const now = Date.now();
  const readings = Array.from({ length: 60 }, (_, i) => ({
    co2: 600 + i,
    voc: 100,
    created_at: new Date(now - i * 15_000).toISOString(),
  }));
  await post(server.url, readings, WITH_KEY);
});
afterAll(() => server.stop());

const stored = async (): Promise<Note[]> => (await fetch(`${server.url}/api/notes`)).json();

test('a viewer with the key adds a note on /history, sees it in the chart and the list, and deletes it', async () => {
  const page = await openPage(chromium.browser, server.url);
  await page.getByRole('link', { name: 'Add a note' }).click();
  await page.getByLabel(/write key/).fill(KEY);
  await page.getByRole('button', { name: 'Remember the key' }).click();

  const text = page.getByLabel('Note', { exact: true });
  await text.fill('six people');
  expect(await page.getByLabel('Time', { exact: true }).inputValue()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  await text.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'six people' }).waitFor();
  const [note] = await until(async () => ((await stored()).length > 0 ? stored() : null));
  expect(note).toMatchObject({ sensor: '', text: 'six people', to: null });
  expect(Math.abs(Date.parse(note?.from ?? '') - Date.now())).toBeLessThan(120_000);
  await page.getByRole('img', { name: /One note: six people, \d+:\d+\./ }).waitFor();

  // The keyboard alone can delete it, and one press isn't enough.
  await page.getByRole('button', { name: 'Delete six people' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Press again to delete' }).waitFor();
  expect(await stored()).toHaveLength(1);
  await page.keyboard.press('Enter');
  await page.getByText('No notes in this span.').waitFor();
  expect(await stored()).toEqual([]);
  expect(
    await page.getByRole('button', { name: 'Add a note' }).evaluate((it) => it === document.activeElement),
  ).toBe(true);
});

test('a note with an end before its time is refused with the reason, and keeps its text', async () => {
  const page = await openPage(chromium.browser, server.url);
  await page.evaluate((key) => localStorage.setItem('airboard.write-key', key), KEY);
  await page.goto(`${server.url}/history#add-note`);
  await page.getByLabel('Note', { exact: true }).fill('window');
  await page.getByLabel('End (optional)').fill('2020-01-01T10:00');
  await page.getByRole('button', { name: 'Save the note' }).click();
  await page.getByRole('alert').filter({ hasText: 'The end is 2020' }).waitFor();
  expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('window');
  expect(await stored()).toEqual([]);
  // Chromium logs the refusal.
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
});
