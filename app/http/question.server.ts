import Negotiator from 'negotiator';
import { type ApiRequest, VARYING, type VaryingHeader } from './answer';

/** The headers that a page's data may depend on too. */
const VARYING_PAGE = ['accept-language', 'cookie'] as const;

/** The parts of a request that its question consists of. */
type Asked<Header extends string = VaryingHeader> = Pick<ApiRequest, 'method' | 'url'> & {
  header(name: Header): string | null;
};

/**
 * Returns a text that is equal for two reads if one answer fits both. The read gate and the cache share answers by this
 * text alone.
 */
export function questionOf(request: Asked): string {
  const { method, url, header } = request;
  return JSON.stringify([method, url.pathname, url.search, acceptsGzip(request), ...VARYING.map(header)]);
}

/** Like `questionOf`, for pages and their data. */
export function pageQuestion(request: Asked<VaryingHeader | (typeof VARYING_PAGE)[number]>): string {
  return JSON.stringify([questionOf(request), ...VARYING_PAGE.map(request.header)]);
}

/** Returns true if `Accept-Encoding` allows gzip (RFC 9110, section 12.5.3). */
export function acceptsGzip({ header }: Pick<Asked, 'header'>): boolean {
  const headers = { 'accept-encoding': header('accept-encoding') ?? undefined };
  return new Negotiator({ headers }).encodings(['gzip']).length > 0;
}
