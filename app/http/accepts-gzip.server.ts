import Negotiator from 'negotiator';
import type { ApiRequest } from './api-handler.server';

/** Returns true if the client takes a body that is compressed with gzip. */
export function acceptsGzip(request: ApiRequest): boolean {
  const headers = { 'accept-encoding': request.header('Accept-Encoding') ?? undefined };
  return new Negotiator({ headers }).encodings(['gzip']).length > 0;
}
