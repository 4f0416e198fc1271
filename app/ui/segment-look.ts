/** The frame of a segmented control; a class for the number of its segments comes with it. */
export const SEGMENT_FRAME = 'grid w-full min-w-0 rounded-xl bg-canvas p-[3px] sm:w-auto';

/** The frame of one with four segments, which have equal widths on a phone. */
export const SEGMENTS_LOOK = `${SEGMENT_FRAME} grid-cols-4`;

/**
 * Returns the classes of a segment. Forced colours drop backgrounds and keep `Highlight`, which marks the selected
 * segment there.
 */
export function segmentLook(isSelected: boolean): string {
  const look = isSelected
    ? 'border-muted/75 bg-surface text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'
    : 'border-transparent text-muted hover:text-ink';
  return `grid min-h-10 place-content-center rounded-[0.5625rem] border px-1 font-semibold sm:px-3.5 ${look}`;
}
