/** The script of a page with only a chart, whose points are in the document. */
import { Chart } from './line-chart';

const points = JSON.parse(document.getElementById('points')?.textContent ?? '[]');
new Chart(document.querySelector('canvas') as HTMLCanvasElement, {
  type: 'line',
  data: {
    labels: points.map(({ label }: { label: string }) => label),
    datasets: ['co2', 'voc'].map((field) => ({
      label: field,
      yAxisID: field,
      data: points.map((point: Record<string, { average: number }>) => point[field]?.average),
    })),
  },
  options: {
    animation: false,
    maintainAspectRatio: false,
    scales: { co2: { position: 'right', beginAtZero: true }, voc: { position: 'left', beginAtZero: true } },
    plugins: { legend: { position: 'bottom' } },
  },
});
