import { JSON_HEADERS } from './api-handler.server';
import { attachment } from './content-disposition.server';

/** The readings that a file has. */
interface Selection {
  sensor?: string;
  from?: string;
  to?: string;
}

/** Returns the headers of a CSV file with these readings; never cached. Its name says the sensor and the days in UTC. */
export function csvHeaders(selection: Selection): Record<string, string> {
  return {
    ...JSON_HEADERS,
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': attachment(fileName(selection)),
    Vary: 'Accept',
  };
}

function fileName({ sensor, from, to }: Selection): string {
  return `${['airboard', sensor, days(from, to)].filter(Boolean).join('-')}.csv`;
}

/** Returns the first and the last day; today for a file that goes up to now. `to` isn't part of it. */
function days(from: string | undefined, to: string | undefined): string {
  const first = from?.slice(0, 10);
  const last = new Date(to ? Date.parse(to) - 1 : Date.now()).toISOString().slice(0, 10);
  return first && first < last ? `${first}-to-${last}` : last;
}
