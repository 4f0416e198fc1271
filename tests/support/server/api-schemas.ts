import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An OpenAPI document, as far as tests look into it. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
}

export interface ApiOperation {
  parameters: { name: string; in: string; schema: ParameterSchema }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}

export interface ParameterSchema {
  type: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  enum?: string[];
}

/**
 * Returns a function that compiles the schema at a path of the document, such as `paths`, `/healthz`, `get`. Objects may only
 * have the members that their schema has, so that a new member of an answer is noticed; a client has to let them pass.
 */
export function schemasOf(document: ApiDocument): (...path: string[]) => ValidateFunction {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(closed(document) as object, 'document');
  return (...path) => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    return ajv.compile({ $ref: `document#/${pointer.join('/')}` });
  };
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isClosed = copy.type === 'object' && copy.properties && copy.additionalProperties === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}
