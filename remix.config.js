/**
 * The Remix options. `vite.config.ts` passes them to the Vite plugin, which doesn't read this file.
 *
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  appDirectory: 'app',
  // `scripts/build/build-app.js` builds elsewhere and moves the build when it is complete.
  buildDirectory: process.env.AIRBOARD_BUILD_DIRECTORY ?? 'build',
  ignoredRouteFiles: ['**/.*'],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
  },
};
