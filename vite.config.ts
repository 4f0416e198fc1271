import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import remixConfig from './remix.config.js';
import { compileAtOnce, compressOnce, scriptOf } from './scripts/client-build.js';
import { guardDevServer } from './scripts/dev-server.js';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [guardDevServer(), tailwindcss(), remix(remixConfig), compileAtOnce(), compressOnce()],
  // Workers are modules, like every other script of the page.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: scriptOf } },
  },
  // Named at once: what development discovers later makes it bundle anew, and a page that is open then
  // has React twice.
  optimizeDeps: {
    include: [
      '@remix-run/react',
      '@supabase/supabase-js',
      'chart.js',
      'chartjs-plugin-zoom',
      'react',
      'react-chartjs-2',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'zod',
    ],
    exclude: ['libsql'],
  },
}));
