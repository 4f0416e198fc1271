import cascadeLayers from '@csstools/postcss-cascade-layers';
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import remixConfig from './remix.config.js';
import {
  BROWSER_PACKAGES,
  collectLicenses,
  compileWhileLoading,
  emitServiceWorker,
  guardDevServer,
  OLDEST_BROWSERS,
  sharedScript,
} from './scripts/build/vite-plugins.js';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    guardDevServer(),
    tailwindcss(),
    remix(remixConfig),
    emitServiceWorker(),
    compileWhileLoading(),
    collectLicenses(),
  ],
  // Relative, so that one build serves any `BASE_PATH`. The address of the styles is in pages too, which prefix it (app/base-path.ts).
  experimental: isSsrBuild
    ? {}
    : {
        renderBuiltUrl: (name, { hostType }) =>
          hostType === 'js' && !name.endsWith('.css') ? { relative: true } : undefined,
      },
  css: { postcss: { plugins: [cascadeLayers()] } },
  // Workers are modules, like every other script of a page.
  worker: { format: 'es' },
  build: {
    target: isSsrBuild ? 'es2022' : OLDEST_BROWSERS,
    // Scripts of pages become 5 % smaller than with esbuild. Stack traces of the server stay readable.
    minify: isSsrBuild ? false : 'terser',
    terserOptions: { compress: { passes: 2 }, format: { comments: false } },
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: sharedScript } },
  },
  optimizeDeps: { include: BROWSER_PACKAGES, exclude: ['libsql', 'mqtt', 'nodemailer'] },
}));
