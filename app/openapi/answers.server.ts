import { z } from 'zod';
import type { Answer, Example, Parameter } from './operation.server';
import { batchProblem, conflict, problem } from './schemas/problems.server';

const PROBLEM = 'application/problem+json';

/** An error. */
export const error = (description: string, ...headers: string[]): Answer => ({
  description,
  content: { [PROBLEM]: problem },
  headers,
});

/** An error of a reading or of a batch. */
export const batchError = (description: string, ...headers: string[]): Answer => ({
  description,
  content: { [PROBLEM]: z.union([problem, batchProblem]) },
  headers,
});

/** The error of a reading whose sensor and time are known with other values. */
export const conflictError = (description: string): Answer => ({
  description,
  content: { [PROBLEM]: conflict },
});

export const invalidQuery = error('A parameter is unknown, given twice or wrong. `errors` names it.');

export const noStore = error("The store can't be used at the moment.", 'Retry-After');

/** The 503 of routes that read in their turn. */
export const noRead = error(
  "The store can't be used at the moment, or too many reads are waiting.",
  'Retry-After',
);

/** The error of a request without the write key, as its example. */
export const MISSING_KEY: Pick<Example, 'title' | 'status' | 'answer'> = {
  title: 'Without the key',
  status: 401,
  answer: {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail:
      'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.',
  },
};

/** The error of a page of another site, as its example. */
export const OTHER_SITE: Example = {
  title: 'From a page of another site',
  request: { headers: { Origin: 'https://other.example' } },
  status: 403,
  answer: {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
  },
};

/** Returns an example of an invalid parameter, with the rest of its request. */
export function invalidParameter(
  query: Record<string, string>,
  field: string,
  detail: string,
  rest: Example['request'] = {},
): Example {
  return {
    title: `A wrong \`${field}\``,
    request: { ...rest, query },
    status: 400,
    answer: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The query is invalid.',
      errors: [{ field, detail }],
    },
  };
}

/** Returns an example of an answer while the store can't be used. */
export function storeFailure(
  request: Example['request'],
  detail = "The database can't be used: no such table: data.",
): Example {
  return {
    title: "While the store can't be used",
    request,
    status: 503,
    answer: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail },
    isWithoutStore: true,
  };
}

/** Returns a parameter of a request's address. */
export function parameter(name: string, schema: z.ZodType, description: string): Parameter {
  return { name, in: 'query', schema, description };
}

/** Returns a header of a request. */
export function header(name: string, schema: z.ZodType, description: string): Parameter {
  return { name, in: 'header', schema, description };
}
