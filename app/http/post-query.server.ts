import type { ApiRequest, ApiResponse } from './api-handler.server';
import { invalidQuery } from './problem.server';
import { repeatedParameter, unknownParameter } from './reading-query.server';

/**
 * Refuses a request whose address has a parameter that it doesn't know, or one twice: with a misspelt `sensor`, readings would
 * be stored without their name. The values of the known ones are judged with the reading.
 *
 * @param known the parameters of the address
 * @returns the response, or null if there is no such parameter
 */
export function refuseParameters(
  { url: { searchParams } }: ApiRequest,
  known: string[] = [],
): ApiResponse | null {
  const repeated = repeatedParameter(searchParams);
  if (repeated) return invalidQuery([repeated]);
  const unknown = [...searchParams.keys()].filter((name) => !known.includes(name));
  return unknown.length > 0 ? invalidQuery(unknown.map((name) => unknownParameter(name, known))) : null;
}
