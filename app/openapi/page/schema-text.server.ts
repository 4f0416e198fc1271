import type { Json } from '../schemas/schema.server';

/** Returns the name of a schema that is a reference; undefined for any other. */
export function referenceOf({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

/** Returns the alternatives of a schema, or the schema itself. */
export const alternativesOf = (schema: Json): Json[] => (schema.anyOf as Json[] | undefined) ?? [schema];

/** Describes the values of a schema in a few words: `integer, 1 to 2000`, `"hour" or "day"`, `Reading or null`. */
export function describeValues(schema: Json): string {
  const { type, items, minimum, maximum, maxItems, maxLength, enum: values } = schema;
  const reference = referenceOf(schema);
  if (reference) return reference;
  if (values) return (values as unknown[]).map((value) => JSON.stringify(value)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return alternativesOf(schema).map(describeValues).join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') {
    const most = maxItems === undefined ? '' : ` at most ${maxItems}`;
    return `array of${most} ${describeValues(items as Json)}`;
  }
  if (type === 'string') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  return limited(String(type), minimum, maximum);
}

/** Adds bounds to a type. Those that only say that an integer is exact are left out. */
function limited(type: string, least: unknown, most: unknown): string {
  const [from, to] = [least, most].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  if (from !== undefined && to !== undefined) return `${type}, ${from} to ${to}`;
  if (to !== undefined) return `${type}, at most ${to}`;
  return from === undefined ? type : `${type}, at least ${from}`;
}
