import type { FieldError } from '../../readings/field-error';

/** A value with the members of a post to `/api/data`, or what is wrong with the one that was sent. */
export type Translation = { ok: true; value: Record<string, unknown> } | { ok: false; errors: FieldError[] };

/**
 * Translates a value like one of `JSON.parse` into the members `co2`, `voc`, `created_at` and `sensor`. Their values are
 * judged afterwards, like those of any post.
 */
export type Translate = (sent: unknown) => Translation;

/**
 * What a kind of device sends. To add the next one: a file here with its translation, a route that names it, its
 * description in `app/openapi/devices.server.ts`, and a line each in `app/boot.server.ts`,
 * `app/openapi/document.server.ts`, and a passage of `docs/devices.md`.
 */
export interface Adapter {
  translate: Translate;
  /**
   * Set if the device sends a reading again, and nothing else, until the answer is a success. A reading that will never be
   * accepted is then answered with 200, and a report that says why.
   */
  repeatsRefused?: true;
}

/** Returns the members of an object; none for any other value. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Refuses a value for one reason. */
export function refuse(field: string, detail: string): Translation {
  return { ok: false, errors: [{ field, detail }] };
}
