/**
 * The most bytes of an answer. A page of 1,000 rows has 0.1 MB, and at most 1.7 MB with the longest numbers and names
 * that the migrations allow.
 */
const ANSWER_LIMIT = 4 * 1024 * 1024;

/** The name of the error for an answer over the limit. */
export const ANSWER_TOO_LARGE = 'AnswerTooLargeError';

/**
 * Calls `fetch`, but follows no redirect: that would send the key to the address it names, and repeat a POST as a GET.
 * Reading the body of an answer over 4 MiB fails with `AnswerTooLargeError`, and ends the connection.
 */
export async function boundedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength;
      if (size <= ANSWER_LIMIT) return controller.enqueue(part);
      const error = new Error(`the answer is over ${ANSWER_LIMIT} bytes`);
      error.name = ANSWER_TOO_LARGE;
      throw error;
    },
  });
  return new Response(response.body?.pipeThrough(bound), response);
}
