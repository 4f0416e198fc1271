import type { AirState } from '../readings/air/air-state';
import type { Level } from '../readings/level/level';

/** The colours of each state (palette.ts), for tiles, the verdict, the sensor strip and marks. */
const COLORS: Record<AirState, string> = {
  good: 'bg-good text-good-ink',
  moderate: 'bg-moderate text-moderate-ink',
  poor: 'bg-poor text-poor-ink',
  silent: 'bg-canvas text-muted',
};

// With forced colours, a worse level has a heavier frame instead of a colour.

/** The look of a large area with a level. Uses outlines, which don't affect the layout. */
export const PANEL_LOOK: Record<Level, string> = {
  good: COLORS.good,
  moderate: `${COLORS.moderate} forced-colors:outline-4 forced-colors:outline-double`,
  poor: `${COLORS.poor} forced-colors:outline-8 forced-colors:outline-solid`,
};

/** The look of a small box with a border, without the border's colour. */
export const BOX_LOOK: Record<AirState, string> = {
  good: COLORS.good,
  moderate: `${COLORS.moderate} forced-colors:border-4 forced-colors:border-double`,
  poor: `${COLORS.poor} forced-colors:border-4`,
  silent: `${COLORS.silent} border-dashed`,
};

/** The look of a small box whose border is visible only for a silence. */
export function stateLook(state: AirState): string {
  return `border-2 ${BOX_LOOK[state]} ${state === 'silent' ? 'border-muted' : 'border-transparent'}`;
}

export const FORCED_FRAME = 'forced-color-adjust-none forced-colors:border forced-colors:border-[CanvasText]';

/** Patterns that distinguish the levels with forced colours: empty, striped and full. */
export const FORCED_FILL: Record<Level, string> = {
  good: `${FORCED_FRAME} forced-colors:bg-[Canvas]`,
  moderate: `${FORCED_FRAME} forced-colors:bg-[Canvas] forced-colors:bg-[repeating-linear-gradient(135deg,CanvasText_0_2px,Canvas_2px_5px)]`,
  poor: `${FORCED_FRAME} forced-colors:bg-[linear-gradient(CanvasText,CanvasText)]`,
};

/** The words of a tile in place of a level if its value is faulty, and the whole sentence. The words are as short as a narrow tile. */
export const FAULT_TEXT = 'sensor fault';
export const FAULT_TITLE = 'The sensor reports a fault';
