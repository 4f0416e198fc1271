import type { PostReading } from '../readings/post-outcome';

const TIMEOUT_MS = 15_000;

/** POST /api/data. Never rejects, and never sends twice. Values go as they are, text or number. */
export const postReading: PostReading = async (values) => {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch('/api/data', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(values),
      signal: timeout.signal,
    });
    const answer = await response.json();
    if (response.status === 201) return { kind: 'stored', reading: answer };
    return { kind: 'refused', detail: answer.detail, errors: answer.errors ?? [] };
  } catch {
    return {
      kind: 'unknown',
      detail: 'No answer came from the server, so it is not known whether the reading was stored.',
    };
  } finally {
    clearTimeout(timer);
  }
};
