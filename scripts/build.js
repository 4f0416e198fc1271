/** `npm run build`: builds the app even if the build is up to date. */
import { checkRequirements } from './check-requirements.js';

checkRequirements();
import('./build-app.js').then(({ buildApp }) => buildApp());
