/** `npm start`: checks Node and the packages, builds if necessary, then starts the server. */
import { checkRequirements } from './serve/check-requirements.js';

checkRequirements();
import('./build/build-app.js').then(({ buildIfNeeded }) => {
  buildIfNeeded();
  return import('./serve.js');
});
