import type { Measurement } from './figure';
import { fanOut } from './figures/fan-out';
import { history } from './figures/history';
import { memory } from './figures/memory';
import { posts } from './figures/posts';

/** Everything that is measured, in the order of the table. */
export const measurements: readonly Measurement[] = [posts, history, memory, fanOut];
