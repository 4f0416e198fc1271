import { z } from 'zod';
import type { ReadingStore } from '../../store/reading-store';
import { schemaOf } from './schema.server';

/** The body of `/healthz`. */
export interface Health {
  status: 'ok' | 'unavailable';
  store: ReadingStore['kind'];
  version: string;
  lastReadingAgeSeconds: number | null;
  detail?: string;
}

export const health = schemaOf<Health>()(
  'Health',
  "The store's health.",
  z.object({
    status: z.enum(['ok', 'unavailable']),
    store: z.enum(['sqlite', 'supabase']),
    version: z.string().describe('The version of airboard.'),
    lastReadingAgeSeconds: z
      .int()
      .min(0)
      .nullable()
      .describe("The age of the newest reading; null if there is none, or if it isn't known."),
    detail: z.string().optional().describe('What is wrong, if anything is.'),
  }),
);
