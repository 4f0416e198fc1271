import type { FieldError } from '../readings/field-error';

/** An item of a batch before it is judged: a value like one of `JSON.parse`, or the reason why it can't be read. */
export type BatchItem = { at: number } & ({ value: unknown } | { error: FieldError });

/** The items of a batch in groups, each of which is read in one turn of the event loop. */
export type ItemGroups = Iterable<BatchItem[]>;

/** How many items, and about how many bytes, are read in one turn of the event loop. */
export const GROUP_ITEMS = 200;
export const GROUP_BYTES = 32 * 1024;

/** The largest item, in bytes: as large as a reading that is posted alone. */
export const ITEM_LIMIT = 16 * 1024;
