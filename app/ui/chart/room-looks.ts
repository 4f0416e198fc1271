/** The palette's name of a room's colour. */
export type RoomColor = `room-${1 | 2 | 3 | 4 | 5 | 6}`;

/** The look of a room's line. */
export interface RoomLook {
  color: RoomColor;
  /** The pixels of the line's strokes and gaps; empty for a solid line. */
  dash: readonly number[];
}

/** The looks of the rooms in one chart, in the order of the address. Their dashes tell them apart without colours. */
export const ROOM_LOOKS: readonly RoomLook[] = [
  { color: 'room-1', dash: [] },
  { color: 'room-2', dash: [7, 4] },
  { color: 'room-3', dash: [2, 3] },
  { color: 'room-4', dash: [12, 3, 2, 3] },
  { color: 'room-5', dash: [16, 4] },
  { color: 'room-6', dash: [5, 2, 2, 2, 2, 2] },
];
