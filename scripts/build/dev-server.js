import { loadEnvFile } from '../../app/config/env-file.server.js';
import { DEFAULT_PORT } from '../../app/config/installation.server.js';
import { listenHost } from '../serve/listen-address.js';

/**
 * Puts the request guard in front of Vite's development server, which listens on `HOST` and `PORT`. Loads it for each request, so that edits to
 * the API take effect, and boots the application before the first response.
 *
 * @returns {import('vite').Plugin}
 */
export function guardDevServer() {
  return {
    name: 'guard-dev-server',
    apply: 'serve',
    config({ server }) {
      // Vite would load the file later, and would replace `$NAME` in its values.
      loadEnvFile();
      const { HOST, PORT } = process.env;
      // Arguments of the command line win.
      const host = server?.host ?? (listenHost(HOST ?? '') || undefined);
      return { server: { host, port: server?.port ?? Number(PORT || DEFAULT_PORT), strictPort: true } };
    },
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
 * @returns {Promise<typeof import('../../app/boot.server.ts') | null>} null if the application can't be loaded:
 *   Remix then fails to load it too, and reports the error
 */
async function loadApp(ssrLoadModule) {
  try {
    const app = await ssrLoadModule('/app/boot.server.ts');
    await app.boot();
    return /** @type {typeof import('../../app/boot.server.ts')} */ (app);
  } catch {
    return null;
  }
}
