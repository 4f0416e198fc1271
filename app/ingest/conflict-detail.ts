import type { Reading, ReadingInput } from '../readings/reading';

/** Says how a reading differs from the one that is stored for its sensor and time. Continues `created_at`. */
export function conflictDetail(stored: Reading, sent: ReadingInput): string {
  const values = ({ co2, voc }: ReadingInput) => `co2 ${co2} and voc ${voc}`;
  return `is the time of a reading that is stored with ${values(stored)}, not ${values(sent)}`;
}
