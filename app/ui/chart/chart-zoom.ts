import { Chart } from 'chart.js';
import zoomPlugin from 'chartjs-plugin-zoom';

// Load this only by `import()` (use-zoom.ts), because the plugin imports hammerjs, which needs `window`.
Chart.register(zoomPlugin);
