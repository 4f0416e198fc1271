/** Defaults that scripts share with the server. Plain JavaScript, because scripts run without a build. */
export const DEFAULT_PORT = 3000;
export const DEFAULT_DATABASE_PATH = 'data/readings.db';
