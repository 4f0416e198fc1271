import type { PostOutcome, PostReading } from '../readings/post-outcome';

const TIMEOUT_MS = 15_000;

/**
 * POST /api/data. Never rejects, and never sends twice. Values go as they are, text or number.
 *
 * @param writeKey the server's `WRITE_KEY`, where it asks for one
 */
export async function postReading(
  values: Parameters<PostReading>[0],
  writeKey: string | null,
): Promise<PostOutcome> {
  // What no header can carry is no server's key.
  if (writeKey && !/^[!-~]+$/.test(writeKey)) {
    return { kind: 'refused', isKeyRefused: true, detail: 'That is no write key.', errors: [] };
  }
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch('/api/data', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(writeKey && { Authorization: `Bearer ${writeKey}` }),
      },
      body: JSON.stringify(values),
      signal: timeout.signal,
    });
    const answer = await response.json();
    if (response.status === 201) return { kind: 'stored', reading: answer };
    const { detail, errors = [], mayBeStored = false } = answer;
    if (mayBeStored) return { kind: 'unknown', detail };
    return { kind: 'refused', isKeyRefused: response.status === 401, detail, errors };
  } catch {
    return {
      kind: 'unknown',
      detail: 'No answer came from the server, so it is not known whether the reading was stored.',
    };
  } finally {
    clearTimeout(timer);
  }
}
