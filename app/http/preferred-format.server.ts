import Negotiator from 'negotiator';
import type { ApiRequest } from './api-handler.server';

/** With every parameter that a client may name. The first one is preferred if a client likes both the same. */
const MEDIA_TYPES = {
  'application/json; charset=utf-8': 'json',
  'text/csv; charset=utf-8; header=present': 'csv',
} as const;

/** Returns the format of readings that `Accept` prefers: JSON unless CSV is preferred. */
export function preferredFormat(request: ApiRequest): 'json' | 'csv' {
  const accept = request.header('Accept');
  if (!accept || !/csv|text\/\*/i.test(accept)) return 'json';
  const names = Object.keys(MEDIA_TYPES) as (keyof typeof MEDIA_TYPES)[];
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(names);
  return MEDIA_TYPES[(preferred as keyof typeof MEDIA_TYPES) ?? names[0]];
}
