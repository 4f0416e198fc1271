import type { Chart } from 'chart.js';
import { expect, test, vi } from 'vitest';
import { watchActivePoint } from '../../../app/ui/chart/chart-tooltip';

const AREA = { top: 10, bottom: 210, left: 0, right: 400 };

/** A chart of ten points with the members that the plugin uses. `draw` draws it, with or without an active point. */
function watchedChart() {
  const { plugin, store } = watchActivePoint();
  const draw = (index: number | null, { width = 400, max = 9 } = {}) => {
    const x = { min: 0, max, getPixelForValue: (at: number) => (at / max) * width };
    const markers = index === null ? [] : [{ index, datasetIndex: 0, element: { y: 50 } }];
    const chart = { scales: { x }, chartArea: AREA, width, height: 240, getActiveElements: () => markers };
    plugin.afterDraw?.(chart as unknown as Chart<'line'>, {}, {});
  };
  return { store, draw };
}

test("keeps the active point's object, and notifies nobody, while the point stays in place", () => {
  const { store, draw } = watchedChart();
  const onChange = vi.fn();
  store.subscribe(onChange);
  draw(null);
  expect(store.getSnapshot()).toBeNull();
  draw(3);
  const active = store.getSnapshot();
  expect(active).toMatchObject({ index: 3, x: 133, width: 400 });
  draw(3);
  expect(store.getSnapshot()).toBe(active);
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('notifies subscribers when the point changes, moves or disappears, until they unsubscribe', () => {
  const { store, draw } = watchedChart();
  const seen: (number | undefined)[] = [];
  const unsubscribe = store.subscribe(() => seen.push(store.getSnapshot()?.x));
  draw(3);
  draw(4);
  draw(4, { width: 200 });
  // A zoom that excludes the point.
  draw(4, { max: 3 });
  unsubscribe();
  draw(5);
  expect(seen).toEqual([133, 178, 89, undefined]);
});
