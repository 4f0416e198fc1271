/**
 * Adds the settings of `.env` in the working directory to `process.env`, without replacing any that are set.
 * A missing file is fine; loading it twice changes nothing. remix-serve doesn't load it, `remix vite:dev` does.
 *
 * @throws {Error} if the file exists and can't be read
 */
export function loadEnvFile() {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
}
