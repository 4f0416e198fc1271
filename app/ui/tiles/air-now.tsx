import { type ReactNode, useContext, useMemo } from 'react';
import type { Connection } from '../../live/browser/page-state';
import { formatValue } from '../../readings/format/format-value';
import { judgeValue } from '../../readings/level/level';
import { MAIN_METRICS, mainMetrics, measuredMetrics } from '../../readings/metric';
import { type Freshness, isAhead, readingsUntil } from '../../readings/now/stale';
import { mentionedSensor } from '../../readings/sensor';
import { formatDuration } from '../../readings/time/durations';
import { Notice } from '../card';
import { PANEL_LOOK } from '../level-look';
import { formatLocalTime, LocalTime } from '../local-time';
import { OutdoorSensorContext, useMetrics, useShownReadings, useThresholds } from '../page-contexts';
import { useVentilation } from '../room/use-room-answers';
import { tabTitle, useTabTitle } from '../tab-title';
import { useFreshness } from '../use-freshness';
import { AiringBar } from './airing-bar';
import { MetricCard } from './metric-card';
import { SmallTile } from './small-tile';
import { trendNow, type Verdict, verdictOf } from './verdict';

interface AirNowProps {
  /** True for the wall layout, to be read from across a room: the verdict above two tiles that fill half the screen. */
  isWall?: boolean;
  /** On a wall, the heading inside the verdict's panel. */
  title?: ReactNode;
}

const ONE_ROW = 'grid gap-2.5 md:gap-3.5';
/** The columns for the verdict and one or two tiles. */
const ONE_TILE = 'md:grid-cols-[minmax(0,1.15fr)_minmax(0,2fr)]';
const TWO_TILES = 'grid-cols-2 md:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)_minmax(0,1fr)]';
const WALL_ROWS = 'grid gap-[1vh]';
const TWO_WALL_TILES = 'tablet:grid-cols-2 landscape:grid-cols-2';
/** Above small tiles, a wall has only one row for the verdict and the tiles, or two if it is upright, and the chart. */
const LOW_WALL_TILE = 'landscape:grid-cols-[minmax(0,1.15fr)_minmax(0,2fr)]';
const LOW_WALL_TILES = 'grid-cols-2 landscape:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)_minmax(0,1fr)]';

/** Three tiles per row on a phone, and two on a narrow one, where a long name would break. */
const SMALL_TILES =
  'grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2 md:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]';
/** At most eight tiles per row on a wide wall. More than that are small on an upright screen that isn't long. */
const WALL_ROW = 8;
const SMALL_WALL_TILES =
  'grid grid-cols-4 gap-[1vh] landscape:grid-cols-[repeat(auto-fit,minmax(10.7vw,1fr))]';

export function AirNow({ isWall = false, title }: AirNowProps) {
  const readings = useShownReadings();
  const thresholds = useThresholds();
  const { history, hasLoaded, last, previous, connection } = readings;
  const newest = history.at(-1);
  const { freshness, ageMs, serverNow, isSilent } = useFreshness(readings);
  const age = freshness === 'slow' ? formatDuration(ageMs ?? 0) : undefined;
  const metrics = useMetrics();
  const ventilation = useVentilation(readings);
  const isOutdoors = useContext(OutdoorSensorContext) === readings.sensor;
  const verdict = useMemo(
    () =>
      verdictOf(
        { readings: history, last, thresholds, age, isSilent, isOutdoors, metrics, ventilation },
        freshness,
      ),
    [history, last, thresholds, age, isSilent, isOutdoors, metrics, ventilation, freshness],
  );
  const sensor = mentionedSensor(readings);
  useTabTitle(tabTitle({ last, level: verdict.level, freshness, ageMs, thresholds, metrics, sensor }));
  const measured = useMemo(() => measuredMetrics(history, metrics), [history, metrics]);
  const large = measured.length > 0 ? mainMetrics(measured) : MAIN_METRICS;
  const small = measured.filter((metric) => !large.includes(metric));
  const isDense = small.length > WALL_ROW;
  const known = useMemo(() => (last ? readingsUntil(history, last) : []), [history, last]);

  return (
    <div className={isWall ? 'grid gap-[1vh]' : 'grid gap-3'}>
      {newest && isAhead(newest, serverNow) && (
        <Notice>
          The newest reading has the time <LocalTime time={newest.created_at} />, which is in the future: the
          server's clock was changed, or the sensor's is wrong.
        </Notice>
      )}
      <div className={rowsLook(isWall, large.length > 1, small.length > 0)}>
        <VerdictPanel {...{ verdict, isWall, title }} isLow={small.length > 0} />
        {large.map((metric) => (
          <MetricCard
            key={metric.field}
            name={metric.name}
            currentReading={last && { new: last }}
            previousReading={previous}
            dataParam={metric.field}
            threshold={thresholds[metric.field]}
            comfort={judgeValue(last?.[metric.field] ?? Number.NaN, metric, thresholds)}
            hasFault={metric.field === verdict.faulty}
            unit={metric.unit}
            format={(value) => formatValue(value, thresholds[metric.field], metric)}
            loading={last === null}
            freshness={freshness}
            isWall={isWall}
            isLow={small.length > 0}
            age={
              (last?.raw?.[metric.field] === undefined ? '' : 'corrected, ') +
              (hasLoaded ? formatAge(freshness, ageMs, connection) : formatConnection(connection))
            }
          />
        ))}
      </div>
      {small.length > 0 && (
        <div className={isWall ? `${SMALL_WALL_TILES} ${isDense ? 'tablet:grid-cols-6' : ''}` : SMALL_TILES}>
          {small.map((metric) => (
            <SmallTile
              key={metric.field}
              metric={metric}
              thresholds={thresholds}
              value={last?.[metric.field] ?? null}
              trend={trendNow(known, metric, thresholds)}
              freshness={freshness}
              isWall={isWall}
              isCorrected={last?.raw?.[metric.field] !== undefined}
              isDense={isDense}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function rowsLook(isWall: boolean, hasTwo: boolean, hasSmall: boolean): string {
  if (isWall && hasSmall) return `${WALL_ROWS} ${hasTwo ? LOW_WALL_TILES : LOW_WALL_TILE}`;
  if (isWall) return `${WALL_ROWS} ${hasTwo ? TWO_WALL_TILES : ''}`;
  return `${ONE_ROW} ${hasTwo ? TWO_TILES : ONE_TILE}`;
}

/** Reserves room for the usual verdicts, so that the chart below doesn't move. A sensor fault needs more room. */
const WALL_PANEL =
  'col-span-full min-h-[12vh] tablet:min-h-[15vh] landscape:min-h-[10vh] landscape:flex-row landscape:items-center landscape:justify-between landscape:gap-x-[3vh]';
const LOW_WALL_PANEL = 'col-span-full min-h-[12vh] landscape:col-span-1 landscape:py-[1vh]';

/** The verdict. Screen readers announce only the headline, so that they say a level once. */
function VerdictPanel({
  verdict,
  isWall,
  isLow,
  title,
}: {
  verdict: Verdict;
  isWall: boolean;
  isLow: boolean;
  title: ReactNode;
}) {
  const { level, headline, detail, progress } = verdict;
  const wallPanel = isLow ? LOW_WALL_PANEL : WALL_PANEL;
  return (
    <section
      aria-label="Verdict"
      data-verdict={level ?? 'unknown'}
      className={`flex flex-col justify-center gap-1 rounded-2xl border-2 border-transparent px-4 -outline-offset-4 ${isWall ? wallPanel : 'measured [--share:0.85vw] md:[--share:0.28vw] col-span-full min-h-37 py-3 md:col-span-1'} ${level ? PANEL_LOOK[level] : 'bg-canvas text-ink'}`}
    >
      <div className="min-w-0">
        {title}
        <p
          role="status"
          className={`leading-tight font-bold tracking-tight ${isWall ? 'text-[min(6vh,7vw)] landscape:leading-[1.1]' : 'text-[clamp(1.5rem,9*var(--cqi),2rem)]'}`}
        >
          {headline}
        </p>
      </div>
      <div>
        <p className={`leading-snug text-balance ${isWall ? 'text-[min(3.2vh,4vw)]' : ''}`}>{detail}</p>
        {progress && <AiringBar {...progress} isWall={isWall} />}
      </div>
    </section>
  );
}

function formatAge(freshness: Freshness, ageMs: number | null, connection: Connection): string {
  if (connection.state === 'disconnected') return formatConnection(connection);
  if (ageMs === null) return 'no readings yet';
  if (freshness === 'ahead') return 'time not known';
  const age = formatDuration(ageMs);
  if (freshness === 'stale' || freshness === 'checking') return `no reading for ${age}`;
  return freshness === 'slow' ? `last reading ${age} ago` : `${age} ago`;
}

function formatConnection(connection: Connection): string {
  if (connection.state !== 'disconnected') return 'not known yet';
  return `reconnecting… since ${formatLocalTime(new Date(connection.since))}`;
}
