import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds a script in `bench/baselines` with the product's Vite and target.
 *
 * @param chunks the output chunks by name, each with a pattern for its modules
 * @returns the source of each chunk
 */
export async function buildBaseline(name: string, chunks: Record<string, RegExp> = {}): Promise<string[]> {
  const chunkOf = (id: string) => Object.keys(chunks).find((chunk) => chunks[chunk]?.test(id));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // The bench itself runs in Vite, which sets NODE_ENV to development.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      write: false,
      modulePreload: false,
      rollupOptions: { input: `bench/baselines/${name}.ts`, output: { manualChunks: chunkOf } },
    },
  });
  const { output } = [built].flat()[0] as { output: { type: string; code?: string }[] };
  return output.flatMap(({ code }) => (code === undefined ? [] : [code]));
}

/** Returns the total size of individually gzipped files, in kB of 1,000 bytes. */
export function gzippedKB(files: readonly (string | Buffer)[]): number {
  return files.reduce((bytes, file) => bytes + gzipSync(file).length, 0) / 1000;
}
