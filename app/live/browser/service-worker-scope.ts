/** The part of a service worker's scope that `offline-worker.ts` uses. TypeScript's own types of it exclude those of pages. */
export interface ServiceWorkerScope {
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof ServiceWorkerEvents>(
    type: Type,
    listener: (event: ServiceWorkerEvents[Type]) => void,
  ): void;
}

interface ServiceWorkerEvents {
  install: InstallEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  message: ExtendableEvent & { data: unknown; source: { id: string } };
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface InstallEvent extends ExtendableEvent {
  /** Static routing, which only Chromium has. */
  addRoutes?(rules: object[]): Promise<void>;
}

export interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  /** The id of the page that a navigation makes. */
  resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}
