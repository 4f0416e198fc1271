import { askResponse, ServerError, wait } from './ask-server';

/** The delay before a failed attempt is repeated. */
const RETRY_MS = 1000;

/** Returns the build of the running server. Throws `ServerError` if airboard can't be reached. */
export async function servedBuild(signal?: AbortSignal): Promise<string> {
  const { headers } = await askResponse('/api/data', { method: 'HEAD', signal });
  const build = headers.get('Airboard-Build');
  if (!build) throw new ServerError('Something other than airboard has answered.');
  return build;
}

/**
 * Repeats an attempt until it succeeds. Throws the error of an attempt if `isFinal` says so, and the last one if the
 * signal is aborted.
 */
export async function untilReached<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      onFailure(error);
      await wait(RETRY_MS, signal);
      if (signal.aborted) throw error;
    }
  }
}
