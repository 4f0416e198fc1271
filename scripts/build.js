/** Builds the app, whether or not it is needed, and notes when. `npm start` builds only where it is. */
import { buildApp } from './build-app.js';

buildApp();
