/**
 * Whether a client takes a content coding: it is named, and not with a weight of zero (RFC 9110, section 12.5.3).
 *
 * @param acceptEncoding the header's value, empty where it was not sent
 */
export function accepts(coding: 'br' | 'gzip', acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name = '', weight = 'q=1'] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === coding && Number(weight.replace('q=', '')) > 0;
  });
}
