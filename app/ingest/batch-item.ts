import type { FieldError } from '../readings/field-error';

/** An item of a batch before it is judged: a value like one of `JSON.parse`, or the reason why it can't be read. */
export type BatchItem = { at: number } & ({ value: unknown } | { error: FieldError });

/** The items of a batch in groups, each of which is read in one turn of the event loop. */
export type ItemGroups = Iterable<BatchItem[]>;

/**
 * How many items, and about how many bytes, are read in one turn of the event loop. Items that wait for many turns make
 * the pauses of the garbage collector longer.
 */
export const GROUP_ITEMS = 100;
export const GROUP_BYTES = 32 * 1024;

/** The largest reading, posted alone or as an item, in bytes. A reading needs about a hundred. */
export const ITEM_LIMIT = 16 * 1024;
