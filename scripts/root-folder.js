import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout or the installed package. In both, this code is in `scripts/`. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
