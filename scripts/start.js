/** `npm start`: checks what the server needs, then loads it. */
import { checkRequirements } from './check-requirements.js';

checkRequirements();
import('./serve.js');
