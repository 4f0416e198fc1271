import type { Translate } from './adapters/adapter';
import { type ParsedReading, parseReading } from './parse-reading.server';

/** Parses a value as a reading, after translating it if it is in the words of a device. */
export function parseSent(sent: unknown, translate?: Translate, now = Date.now()): ParsedReading {
  if (!translate) return parseReading(sent, now);
  const translation = translate(sent);
  return translation.ok ? parseReading(translation.value, now) : translation;
}
