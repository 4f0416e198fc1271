/** A page tells the worker once it has loaded. */
export interface LoadedPage {
  url: string;
  /** The addresses of scripts and styles that it has loaded, those included that its document doesn't name. */
  files: string[];
}

/**
 * Registers the service worker (`offline-worker.ts`) once the page is there and has nothing else to do. Browsers have
 * service workers only on https and on `localhost`.
 */
export function registerOfflineWorker(): void {
  // A frame of another site has no home screen.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || window !== top) return;
  const start = () => (window.requestIdleCallback ?? setTimeout)(() => register().catch(() => {}));
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  // Beside the manifest, wherever airboard is served.
  const { href } = document.querySelector('link[rel=manifest]') as HTMLLinkElement;
  await serviceWorker.register(new URL('service-worker.js', href));
  const { active } = await serviceWorker.ready;
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const loaded = { url: location.href, files: files.filter((name) => /\/assets\/[^?]+$/.test(name)) };
  active?.postMessage(loaded satisfies LoadedPage);
}
