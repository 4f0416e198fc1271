/** `npm run build`: builds the app even if the build is up to date. */
import { buildApp } from './build-app.js';

buildApp();
