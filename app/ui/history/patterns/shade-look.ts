import { LEVELS, type Level } from '../../../readings/level/level';
import { FORCED_FILL } from '../../level-look';
import type { Shade } from './shade';

/** The colours of each level, from the mildest to the deepest shade. */
const COLORS: Record<Level, readonly string[]> = {
  good: ['bg-shade-good-1', 'bg-shade-good-2', 'bg-shade-good-3'],
  moderate: ['bg-shade-moderate-1', 'bg-shade-moderate-2', 'bg-shade-moderate-3'],
  poor: ['bg-shade-poor-1', 'bg-shade-poor-2', 'bg-shade-poor-3'],
};

/** Poor cells have a dot for those who can't tell the colours apart. */
const DOT = 'bg-[radial-gradient(circle,var(--surface)_1.5px,transparent_2px)]';

const LOOKS = Object.fromEntries(
  LEVELS.map((level) => [
    level,
    COLORS[level].map((color) => `${color} ${level === 'poor' ? DOT : ''} ${FORCED_FILL[level]}`),
  ]),
) as Record<Level, string[]>;

/** The look of a time without readings. */
export const EMPTY_LOOK =
  'bg-[repeating-linear-gradient(135deg,color-mix(in_srgb,var(--muted)_30%,transparent)_0_1.5px,transparent_1.5px_6px)]';

/** Makes the ground of a cell pale of which little was measured. */
export const SPARSE_LOOK = 'opacity-40 hover:opacity-100 focus-visible:opacity-100';

/** Returns the classes of a cell's ground. */
export function shadeLook({ level, depth }: Shade): string {
  return LOOKS[level][depth - 1] as string;
}
