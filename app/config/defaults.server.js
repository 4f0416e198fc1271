/** Default settings shared by the server and the scripts. Plain JavaScript, because scripts run without a build. */
import { join } from 'node:path';
import { dataFolder, IS_PACKAGE } from './installation.server.js';

export const DEFAULT_PORT = 3000;
export const DEFAULT_DATABASE_PATH = IS_PACKAGE ? join(dataFolder(), 'readings.db') : 'data/readings.db';
