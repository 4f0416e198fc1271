/** The message to the worker once a page has loaded. */
export interface LoadedPage {
  url: string;
  /** The addresses of scripts and styles that it has loaded, those included that its document doesn't name. */
  files: string[];
}

/** Registers the service worker once the page is idle. Browsers have service workers only on https and on `localhost`. */
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
  const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]') ?? location;
  const { href: url } = location;
  await serviceWorker.register(new URL('service-worker.js', href));
  const { active } = await serviceWorker.ready;
  // The worker hasn't seen this document, and will ask for it: that would nearly double what a first visit loads.
  if (!serviceWorker.controller) await untilHidden();
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const loaded = { url, files: files.filter((name) => /\/assets\/[^?]+$/.test(name)) };
  active?.postMessage(loaded satisfies LoadedPage);
}

/** Resolves once nobody looks at the page, such as when it is left or the phone is put away. */
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
