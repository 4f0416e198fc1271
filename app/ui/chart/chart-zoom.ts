import { Chart } from 'chart.js';
import zoomPlugin from 'chartjs-plugin-zoom';

// Loaded by `import()` alone (use-zoom.ts): hammerjs, which the plugin imports, needs `window` at once.
Chart.register(zoomPlugin);
