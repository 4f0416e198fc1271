import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds a script of `bench/baselines` with the product's own Vite and target.
 *
 * @param parts names of packages that get a file of their own
 * @returns the source of each file
 */
export async function buildBaseline(name: string, parts: Record<string, RegExp> = {}): Promise<string[]> {
  const partOf = (id: string) => Object.keys(parts).find((part) => parts[part]?.test(id));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // Vite as a loader of the bench has set the environment to development.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      write: false,
      modulePreload: false,
      rollupOptions: { input: `bench/baselines/${name}.ts`, output: { manualChunks: partOf } },
    },
  });
  const { output } = [built].flat()[0] as { output: { type: string; code?: string }[] };
  return output.flatMap(({ code }) => (code === undefined ? [] : [code]));
}

/** Size of what travels, in kB of 1,000 bytes. */
export function gzippedKB(parts: readonly (string | Buffer)[]): number {
  return parts.reduce((bytes, part) => bytes + gzipSync(part).length, 0) / 1000;
}
