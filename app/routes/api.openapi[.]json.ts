import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { openApiDocument } from '../openapi/document.server';

const parseQuery = readingQueryParser();

/** GET /api/openapi.json: the OpenAPI document. */
export const loader: ApiHandler = async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  return conditionalJson(request, await openApiDocument(), 0);
};
