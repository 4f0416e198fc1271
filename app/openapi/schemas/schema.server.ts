import { z } from 'zod';

/** A JSON Schema, or another object of an OpenAPI document. */
export type Json = { [member: string]: unknown };

const named = z.registry<{ id: string }>();

/**
 * Names a schema, which becomes one of the document's `components`. It has to fit the type that the code itself uses, in both
 * directions: a member that is added to the type, or taken from it, doesn't compile until the schema follows.
 */
export function schemaOf<Type>() {
  return <Schema extends z.ZodType<Type>>(
    id: string,
    description: string,
    schema: Type extends z.output<Schema> ? Schema : never,
  ): Schema => {
    const described = (schema as Schema).describe(description);
    named.add(described, { id });
    return described;
  };
}

const converted = new WeakMap<z.ZodType, Json>();

/**
 * Returns the JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of a schema, with references to those that have names.
 * Converts each schema once: it takes about a millisecond.
 */
export function jsonSchema(schema: z.ZodType): Json {
  let json = converted.get(schema);
  if (!json) {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, { io: 'input', metadata: named });
    json = withReferences(rest);
    converted.set(schema, json);
  }
  return json;
}

/** Returns every named schema. */
export function namedSchemas(): Json {
  const { schemas } = z.toJSONSchema(named, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  const entries = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
  return Object.fromEntries(entries);
}

function withReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** A time of an answer. */
export const time = z.iso.datetime().describe('ISO 8601 in UTC with `Z`.');

/** A name of a sensor. */
export const sensorName = z.string().describe("The sensor's name; empty for the unnamed one.");

/** A value for each metric; null if it wasn't measured. */
export const byMetric = <Schema extends z.ZodType>(schema: Schema) => ({
  co2: z.union([schema, z.null()]),
  voc: z.union([schema, z.null()]),
});
