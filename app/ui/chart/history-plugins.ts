import { CHART_PLUGINS } from './chart-plugins';
import { historyDrawings, historyGround } from './draw/draw-history';

/** The plugins of every chart with a time axis. */
export const HISTORY_PLUGINS = [historyGround, ...CHART_PLUGINS, historyDrawings];
