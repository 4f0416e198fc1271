import type { WriteAnswer } from '../../../app/http/answer';
import { at } from '../../../app/readings/at';
import type { ReadingInput } from '../../../app/readings/reading';
import { type InsertResult, StoreUnavailableError } from '../../../app/store/reading-store';

// Settings are read at the first post. Empty values override those of a `.env` file.
Object.assign(process.env, { POSTS_PER_MINUTE: '0', WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });

const { postBatch } = await import('../../../app/ingest/take-post.server');
const { BodyMemory, receiveReadings } = await import('../../../app/ingest/receive-body.server');

/** A store in memory. Sensor and time identify a reading, as in both real stores. */
export const store = {
  /** The readings of each successful call of `insertAll`. */
  inserted: [] as ReadingInput[][],
  /** `insertAll` succeeds this many times, then fails. */
  failFrom: Number.POSITIVE_INFINITY,
  failure: new StoreUnavailableError('The disk is full.', 60),
  blocksOnInsert: true,
  reset() {
    store.failure = new StoreUnavailableError('The disk is full.', 60);
    store.blocksOnInsert = true;
    store.inserted = [];
    store.failFrom = Number.POSITIVE_INFINITY;
  },
  async insertAll(readings: readonly ReadingInput[]): Promise<InsertResult[]> {
    if (store.inserted.length >= store.failFrom) throw store.failure;
    const known = store.inserted.flat();
    store.inserted.push([...readings]);
    return readings.map((reading, i) => {
      const same = ({ sensor, created_at }: ReadingInput) =>
        created_at !== undefined && sensor === reading.sensor && created_at === reading.created_at;
      const found = [...known, ...readings.slice(0, i)].find(same);
      const row = { id: 1, created_at: '', ...(found ?? reading) };
      if (!found) return { outcome: 'stored', reading: row };
      const isSame = found.co2 === reading.co2 && found.voc === reading.voc;
      return { outcome: isSame ? 'duplicate' : 'conflict', reading: row };
    });
  },
  insert: async (reading: ReadingInput): Promise<InsertResult> => at(await store.insertAll([reading]), 0),
};

export const JSON_TYPE = 'application/json';
export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';

/** Posts a body in parts of `partBytes`. */
export async function send(type: string, body: string | Uint8Array, partBytes = 1000): Promise<WriteAnswer> {
  const bytes = Buffer.from(body);
  const request = {
    header: (name: string) => (name === 'content-type' ? type : null),
    address: () => 'sensor',
    async body(take: (part: Uint8Array) => boolean) {
      for (let at = 0; at < bytes.length; at += partBytes) {
        if (!take(bytes.subarray(at, at + partBytes))) break;
      }
      return true;
    },
  };
  const received = await receiveReadings(request, new BodyMemory(request));
  if (!received.ok) return received;
  if (received.format === 'reading') throw new Error('the body was taken for a single reading');
  return postBatch(store, request, received);
}
