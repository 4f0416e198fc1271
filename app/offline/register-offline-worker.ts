/** The message to the worker after a page has loaded. */
export interface LoadedPage {
  url: string;
  /** The URLs of the loaded scripts and styles, including those that the document doesn't name. */
  files: string[];
}

/**
 * Registers the service worker once the page is idle. Browsers offer service workers only on https and on `localhost`.
 */
export function registerOfflineWorker(): void {
  // In a frame of another site, a stored page would be useless.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || window !== top) return;
  const start = () => (window.requestIdleCallback ?? setTimeout)(() => register().catch(() => {}));
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  // The worker is next to the manifest, in any folder that airboard is served from.
  const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]') ?? location;
  const { href: url } = location;
  await serviceWorker.register(new URL('service-worker.js', href));
  const { active } = await serviceWorker.ready;
  // The worker hasn't seen this document and will request it, which would nearly double the data of a first visit.
  if (!serviceWorker.controller) await untilHidden();
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const loaded = { url, files: files.filter((name) => /\/assets\/[^?]+$/.test(name)) };
  active?.postMessage(loaded satisfies LoadedPage);
}

/** Resolves once the page is hidden, such as when the viewer leaves it or puts the phone away. */
function untilHidden(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'hidden') return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
}
