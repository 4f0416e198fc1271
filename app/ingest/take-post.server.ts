import { reasonInOneLine } from '../readings/field-error';
import type { ReadingStore } from '../store/reading-store';
import type { Adapter, Translate } from './adapters/adapter';
import { postBatch } from './post-batch.server';
import { type PostRequest, postReading } from './post-reading.server';
import { receiveBody } from './receive-body.server';
import { refuseWrite } from './write-access.server';
import type { WriteAnswer } from './write-refusal';

/** A post with its body. */
export interface Post extends PostRequest {
  body(): AsyncIterable<Uint8Array>;
}

/** The answer to a device that would go on sending a reading that stays refused. */
export interface RefusedReport {
  stored: 0;
  duplicates: 0;
  refused: 1;
  /** Why. */
  detail: string;
}

/** A reading that stays refused, however often it is sent: invalid, or another one of its sensor and time is stored. */
export const isFinal = ({ status }: { status: number }) => status === 400 || status === 409;

/** Stores the reading or the batch of a post from someone who may write. */
export function takePost(store: ReadingStore, post: Post): Promise<WriteAnswer> {
  return receiveBody(post, async (received): Promise<WriteAnswer> => {
    if (!received.ok) return received;
    const { body } = received;
    return body.format === 'reading' ? postReading(store, post, body.bytes) : postBatch(store, post, body);
  });
}

/** Stores what a device posts in its own words. `?sensor=NAME` in the address names its sensor. */
export async function takeDevicePost(
  store: ReadingStore,
  post: Post & { url: URL },
  { translate, repeatsRefused }: Adapter,
): Promise<WriteAnswer> {
  const refusal = refuseWrite(post);
  if (refusal) return { ok: false, ...refusal };
  const name = post.url.searchParams.get('sensor');
  const named: Translate = (sent) => {
    const translation = translate(sent);
    return translation.ok && name !== null
      ? { ok: true, value: { ...translation.value, sensor: name } }
      : translation;
  };
  const { header, address, body } = post;
  const answer = await takePost(store, { header, address, body, translate: named });
  if (answer.ok || !repeatsRefused || !isFinal(answer)) return answer;
  const detail = reasonInOneLine(answer);
  const value: RefusedReport = { stored: 0, duplicates: 0, refused: 1, detail };
  return { ok: true, status: 200, value, detail };
}
