import { askServer, ServerError } from '../../live/browser/ask-server';
import type { FieldError } from '../../readings/field-error';
import type { SensorSummary } from '../../readings/reading';

/** Sends a change of a sensor's settings, and returns the changed sensor. */
export async function changeSensor(
  sensor: string,
  change: object,
  { writeKey, isMerge = false }: { writeKey: string | null | undefined; isMerge?: boolean },
): Promise<SensorSummary> {
  const query = new URLSearchParams({ sensor, ...(isMerge && { merge: 'true' }) });
  const { value } = await askServer<SensorSummary>(`/api/sensors?${query}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
    writeKey,
  });
  return value;
}

/** Returns why the server refused a change, with its fields. */
export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  const { errors = [] }: { errors?: FieldError[] } =
    (error instanceof ServerError ? error.problem : undefined) ?? {};
  return [message, ...errors.map(({ field, detail }) => `${field} ${detail}.`)].join(' ');
}
