import type { Reading } from '../../../app/readings/reading';
import { until } from '../until';

/** One event of an event stream, or a block of comments and fields without data. */
interface StreamBlock {
  id?: string;
  data?: string;
  retry?: string;
  comments: string[];
}

export interface EventStream {
  response: Response;
  /** All blocks so far, in order. */
  blocks: StreamBlock[];
  /** The readings in these blocks so far, each with its event's id. */
  inserts(): readonly { id: number; reading: Reading }[];
  /** Waits until at least `count` inserts have arrived. */
  untilInserts(count: number): Promise<void>;
  isEnded(): boolean;
  close(): void;
}

/** Opens `GET /api/live` and parses it like an `EventSource`. */
export async function openEventStream(
  url: string,
  { query = '', lastEventId }: { query?: string; lastEventId?: number } = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const headers: Record<string, string> =
    lastEventId === undefined ? {} : { 'Last-Event-ID': `${lastEventId}` };
  const response = await fetch(`${url}/api/live${query}`, { headers, signal: abort.signal });
  const blocks: StreamBlock[] = [];
  const inserts: { id: number; reading: Reading }[] = [];
  let ended = false;
  const add = (block: StreamBlock) => {
    blocks.push(block);
    if (block.data) inserts.push({ id: Number(block.id), reading: JSON.parse(block.data).new });
  };
  collect(response, add)
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  return {
    response,
    blocks,
    inserts: () => inserts,
    untilInserts: async (count) => {
      await until(() => inserts.length >= count, 60_000);
    },
    isEnded: () => ended,
    close: () => abort.abort(),
  };
}

async function collect(response: Response, add: (block: StreamBlock) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    const complete = text.split('\n\n');
    text = complete.pop() ?? '';
    for (const block of complete) add(parseBlock(block));
  }
}

function parseBlock(text: string): StreamBlock {
  const block: StreamBlock = { comments: [] };
  for (const line of text.split('\n')) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === '') block.comments.push(value);
    else if (field === 'id' || field === 'data' || field === 'retry') block[field] = value;
    else throw new Error(`unexpected line in an event stream: ${line}`);
  }
  return block;
}
