import type { Locator, Page } from 'playwright-core';
import type { Reading } from '../../../app/readings/reading';
import { answerOf, roomReadings } from '../history/history-answers';
import { until } from '../until';
import { chartPlace, drawingOn } from './canvas';
import { chartOf } from './dashboard';

/** Waits until the chart has the whole span in view. */
export async function waitForHistory(page: Page): Promise<void> {
  await chartOf(page).waitFor();
  await page.locator('[aria-busy=false]:has(> [data-step])').waitFor();
}

/** Finds the link to a span such as `week`. */
export function spanLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Span' }).getByRole('link', { name });
}

/** Returns the span in words, as shown in the date field. */
export async function spanTitleOn(page: Page): Promise<string> {
  return (await page.locator('label:has([type=date]) [aria-hidden]').innerText()).replace(/\s*▾$/, '');
}

/** Waits until the date field shows a span. */
export async function waitForSpan(page: Page, title: string): Promise<void> {
  await until(async () => (await spanTitleOn(page)) === title).catch(async () => {
    throw new Error(`the page shows ${await spanTitleOn(page)}, not ${title}`);
  });
}

/** Returns the query of a page's address. */
export function queryOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** Finds the card with the numbers of a metric. */
export function numbersOf(page: Page, metric: string): Locator {
  return page.getByRole('region', { name: new RegExp(`^${metric} (PP[MB]|µg/m³|%)$`) });
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Midnight in Rome. */
export const FROM = Date.parse('2026-11-20T23:00:00Z');
export const ROME = { timezoneId: 'Europe/Rome', locale: 'en-GB' };

/** The living room for two days with a gap from 6:00 to 9:00. The second day is `span`. */
export const span = { from: FROM, to: FROM + DAY };
export const isBetween =
  (from: number, to: number) =>
  ({ created_at }: Reading) =>
    Date.parse(created_at) >= from && Date.parse(created_at) < to;
const isInGap = isBetween(FROM + 6 * HOUR, FROM + 9 * HOUR);
export const readings = roomReadings({ from: FROM - DAY, to: FROM + DAY, everyMs: 15_000 }).filter(
  (r) => !isInGap(r),
);
export const answer = answerOf(readings, span);

export const textsOn = async (page: Page) => (await drawingOn(page)).texts;

/** Returns the position of a time of the day on the canvas, in pixels from its left. */
export async function pixelAt(page: Page, time: number, view = span): Promise<number> {
  const { left, right } = await chartPlace(page);
  return left + ((time - view.from) / (view.to - view.from)) * (right - left);
}

/** Moves the mouse to a time of the day. */
export async function pointAt(page: Page, time: number): Promise<void> {
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + (await pixelAt(page, time)), (box?.y ?? 0) + 100);
}

export const sliderOn = (page: Page) => page.getByRole('slider', { name: 'Points of the chart' });
export const tooltipOn = (page: Page) => page.getByRole('tooltip');
