import type { Chart } from 'chart.js';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { SeriesPoint } from '../../readings/chart/chart-series';
import type { Thresholds } from '../../readings/level/level';
import { watchActivePoint } from './active-point';
import { ChartFrame } from './chart-frame';
import { chartModel } from './chart-model';
import { chartOptions, LABEL_AXIS } from './chart-options';
import { CHART_PLUGINS } from './chart-plugins';
import { GapList } from './gap-list';
import { readingsZoom } from './readings-zoom';
import { useZoom } from './use-zoom';
import { ZoomBar } from './zoom-bar';

interface ReadingsChartProps {
  /** Oldest first, at least one. */
  points: readonly SeriesPoint[];
  thresholds: Thresholds;
  /** The height of the chart. */
  className: string;
  /** The sensor for the description: ` of Bedroom`, or nothing. */
  ofSensor: string;
  /** How much larger the chart is shown than it is drawn. Such a chart is for looking only. */
  scale?: number;
  /** Further entries of the legend. */
  legend?: ReactNode;
}

/** The line chart of a series, whose points are equally far apart. It keeps its zoom when points are added. */
export function ReadingsChart({ points, thresholds, ...props }: ReadingsChartProps) {
  const { scale } = props;
  const chart = useRef<Chart<'line'>>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [{ zoom, ...chartParts }] = useState(() => createChart(setZoomed, scale));
  const isWall = scale !== undefined;
  const model = useMemo(() => {
    const all = chartModel(points, thresholds);
    return isWall ? { ...all, named: all.measured } : all;
  }, [points, thresholds, isWall]);

  useZoom(chart, isWall ? null : zoom);

  return (
    <ChartFrame {...props} {...chartParts} {...{ chart, model }}>
      {!scale && (
        <>
          <ZoomBar isZoomed={isZoomed} onReset={() => chart.current && zoom.reset(chart.current)} />
          <GapList gaps={model.gaps} />
        </>
      )}
    </ChartFrame>
  );
}

/** Creates what a chart keeps for its whole life. */
function createChart(onZoom: (isZoomed: boolean) => void, scale: number | undefined) {
  const zoom = readingsZoom(onZoom);
  const { plugin, store: activePoint } = watchActivePoint();
  const options = {
    ...chartOptions(LABEL_AXIS, zoom.options),
    devicePixelRatio: scale && scale * window.devicePixelRatio,
  };
  return { zoom, options, plugins: [...CHART_PLUGINS, zoom.plugin, plugin], activePoint };
}
