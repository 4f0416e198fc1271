/** `npm run replay`: the same as `npm run import -- FILE.csv --as-now`. */
import './import/as-now.js';
