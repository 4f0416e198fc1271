import type { Measurement } from './figure';
import { posts } from './figures/posts';

/** Everything that is measured, in the order of the table. */
export const measurements: readonly Measurement[] = [posts];
