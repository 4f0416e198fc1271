import { apiFunction } from '../http/api-route.server';
import { conditionalJson } from '../http/conditional-json.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/reading-query.server';
import { openApiDocument } from '../openapi/document.server';

const parseQuery = readingQueryParser();

/** GET /api/openapi.json: the description of the API. */
export const loader = apiFunction(async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  return conditionalJson(request, await openApiDocument(), 0);
});
