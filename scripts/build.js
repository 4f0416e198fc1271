/** `npm run build`: builds the app, even if the build is up to date. */
import { checkRequirements } from './serve/check-requirements.js';

checkRequirements();
import('./build/build-app.js').then(({ buildApp }) => buildApp());
