import type { RouteDescription } from './operation.server';
import { data } from './routes/data.server';
import { airrohr, enviro } from './routes/devices.server';
import { history, pattern, summary } from './routes/history.server';
import { live } from './routes/live.server';
import { notifications } from './routes/notifications.server';
import { sensors } from './routes/sensors.server';
import { docs, healthz, metrics, openapi } from './routes/server.server';

/**
 * The description of every address of the API. A route that isn't here, or one that is here and doesn't exist, fails
 * tests/server/openapi.test.ts.
 */
export const ROUTES: Readonly<Record<string, RouteDescription>> = {
  '/api/data': data,
  '/api/live': live,
  '/api/sensors': sensors,
  '/api/history': history,
  '/api/summary': summary,
  '/api/pattern': pattern,
  '/api/notifications': notifications,
  '/api/airrohr': airrohr,
  '/api/enviro': enviro,
  '/healthz': healthz,
  '/metrics': metrics,
  '/api/openapi.json': openapi,
  '/api/docs': docs,
};
