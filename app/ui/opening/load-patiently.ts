import { type ClientLoaderFunctionArgs, isRouteErrorResponse } from '@remix-run/react';
import { useSyncExternalStore } from 'react';
import { isBase } from '../../base-path';
import { servedBuild, untilReached } from '../../live/browser/reach-server';

/** The loads that have failed at least once and are being repeated. */
const waiting = new Set<AbortSignal>();
const listeners = new Set<() => void>();

/**
 * The `clientLoader` of every page. Waits until the server answers, because an error would replace the page with the
 * error page, and its values would be lost. Rejections of the server, such as an unknown range, are thrown.
 */
export async function loadPatiently({ serverLoader, request }: ClientLoaderFunctionArgs): Promise<unknown> {
  const { signal } = request;
  try {
    return await untilReached(
      () => (isBase(new URL(request.url).pathname) ? openDocument(request) : serverLoader()),
      signal,
      () => setWaiting(signal, true),
      isRejection,
    );
  } finally {
    setWaiting(signal, false);
  }
}

/**
 * Loads the dashboard below `BASE_PATH` as a document. Remix would ask for `/air.data`, which is outside of `/air/`: a proxy
 * may not pass it on, and the browser sends no cookies with it.
 */
async function openDocument({ url, signal }: Request): Promise<never> {
  await servedBuild(signal);
  window.location.assign(url);
  return new Promise(() => {});
}

function isRejection(error: unknown): boolean {
  return error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);
}

function setWaiting(signal: AbortSignal, isWaiting: boolean): void {
  if (isWaiting) waiting.add(signal);
  else waiting.delete(signal);
  for (const listener of listeners) listener();
}

/** Returns true while a page waits for the server to answer. */
export function useIsLoadWaiting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.size > 0,
    () => false,
  );
}
