/** Default settings shared by the server and the scripts. Plain JavaScript, because scripts run without a build. */
export const DEFAULT_PORT = 3000;
export const DEFAULT_DATABASE_PATH = 'data/readings.db';
