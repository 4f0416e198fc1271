import { eventLoopTurns } from '../config/event-loop-turns.server';

/** Items of an array that are written in one turn of the event loop: about a millisecond of work. */
const PART_ITEMS = 500;

const nextTurn = eventLoopTurns();

/** Yields the JSON of a value. Long arrays, at its top or in its members, take a turn of the event loop for each part. */
export async function* jsonParts(value: unknown): AsyncGenerator<string> {
  if (isLong(value)) {
    yield* arrayParts(value);
  } else if (isObject(value) && Object.values(value).some(isLong)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

async function* arrayParts(items: readonly unknown[]): AsyncGenerator<string> {
  for (let i = 0; i < items.length; i += PART_ITEMS) {
    const part = JSON.stringify(items.slice(i, i + PART_ITEMS));
    yield `${i === 0 ? '[' : ','}${part.slice(1, -1)}`;
    await nextTurn();
  }
  yield ']';
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > PART_ITEMS;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
