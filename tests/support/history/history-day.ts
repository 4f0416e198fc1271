import type { Page } from 'playwright-core';
import type { Reading } from '../../../app/readings/reading';
import { chartPlace, drawingOn } from '../browser/canvas';
import { chartOf } from '../browser/dashboard';
import { answerOf, roomReadings } from './history-answers';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Midnight in Rome. */
export const FROM = Date.parse('2026-11-20T23:00:00Z');
export const ROME = { timezoneId: 'Europe/Rome', locale: 'en-GB' };

/** The living room for two days, the second of which is `span`, with a gap from 6:00 to 9:00. */
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

/** Returns where a time of the day lies on the canvas, in pixels from its left. */
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
