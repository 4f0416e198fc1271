/**
 * Puts the request guard in front of Vite's development server. Loads it for each request, so that edits to
 * the API take effect, and boots the application before the first response.
 *
 * @returns {import('vite').Plugin}
 */
export function guardDevServer() {
  return {
    name: 'guard-dev-server',
    apply: 'serve',
    configureServer({ middlewares, ssrLoadModule }) {
      middlewares.use(async (request, response, next) => {
        const app = await loadApp(ssrLoadModule);
        if (app) app.requestGuard(request, response, next);
        else next();
      });
    },
  };
}

/**
 * @param {import('vite').ViteDevServer['ssrLoadModule']} ssrLoadModule
 * @returns {Promise<typeof import('../app/boot.server.ts') | null>} null if the application can't be loaded:
 *   Remix then fails to load it too, and reports the error
 */
async function loadApp(ssrLoadModule) {
  try {
    const app = await ssrLoadModule('/app/boot.server.ts');
    await app.boot();
    return /** @type {typeof import('../app/boot.server.ts')} */ (app);
  } catch {
    return null;
  }
}
