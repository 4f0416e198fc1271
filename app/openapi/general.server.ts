import type { Tag } from './operation.server';
import type { Json } from './schemas/schema.server';

export const TAGS: Record<Tag, string> = {
  readings: 'Storing readings, and reading them.',
  history: "Spans of a sensor's history.",
  notifications: 'How sensors stand, and what was told.',
  server: 'The server and its API.',
};

/** The headers of answers. */
export const HEADERS: Record<string, Json> = {
  'Airboard-Build': {
    description: 'The build that answers. It changes with an update.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'The name of a CSV file.', schema: { type: 'string' } },
  ETag: { description: 'Changes with the answer, for `If-None-Match`.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to send the key.', schema: { type: 'string' } },
};

/** Errors of every address, by their status. */
export const GENERAL_ERRORS: Record<number, string> = {
  400: 'The request, its address or its `Host` is malformed.',
  404: 'Nothing has this address. `detail` lists those of the API.',
  405: 'The address doesn’t have this method. `Allow` lists those that it has.',
  408: 'The request wasn’t complete within a minute.',
  414: 'The address is over 2 kB, and not so long that it gets 431.',
  417: '`Expect` has something else than `100-continue`.',
  431: 'The address and the headers are over 16 KiB together.',
  500: 'An error that nobody expected. The server’s log has more.',
  501: '`Transfer-Encoding` is something else than `chunked`.',
  503: 'The server is stopping. `Retry-After` says when to try again.',
};

export const INTRODUCTION =
  'Stores CO2 and VOC readings, and gives them out. Anyone who can reach the server can read. Where `WRITE_KEY` is set, ' +
  'storing needs it. Every error has the same format (RFC 9457), also those that any address may answer with:';

/** How the write key is sent. The document names each way as one of those that suffice. */
export const KEY_SCHEMES: Record<string, Json> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The `WRITE_KEY` of the server, if it has one.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The `WRITE_KEY` as the password, with any user, for devices that know nothing else.',
  },
};
