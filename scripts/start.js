/** `npm start`: checks what the server needs, builds if necessary, then loads it. */
import { checkRequirements } from './serve/check-requirements.js';

checkRequirements();
import('./build/build-app.js').then(({ buildIfNeeded }) => {
  buildIfNeeded();
  return import('./serve.js');
});
