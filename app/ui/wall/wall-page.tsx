import type { ReactNode } from 'react';
import { isImpaired } from '../../live/browser/page-state';
import type { LiveReadings } from '../../live/browser/use-readings';
import { DEFAULT_RANGE, type Range } from '../../readings/chart/range';
import { isUnknownSensor, mentionedSensor } from '../../readings/sensor';
import { ReadingsContext } from '../page-contexts';
import { RangeChart } from '../range-chart';
import { ConnectionNotice, useNamedSensor, WithoutScript } from '../readings-page';
import { UnknownSensor } from '../sensors/sensor-strip';
import { AirNow } from '../tiles/air-now';
import { LoadedWall } from './loaded-wall';

/** The wall layout of the dashboard or the chart: the current air in figures readable from six metres, and a chart. */
export function WallPage({
  readings,
  range = DEFAULT_RANGE,
  chart,
  problem,
}: {
  readings: LiveReadings;
  range?: Range;
  chart?: (scale: number) => ReactNode;
  problem: string | null;
}) {
  const { hasLoaded, last, connection } = readings;
  const sensor = mentionedSensor(readings);
  useNamedSensor(readings);
  const isUnknown = isUnknownSensor(readings);
  const isInTrouble = isImpaired(connection) || (problem !== null && connection.state !== 'live');
  const title = (
    <h1 className={sensor ? 'truncate text-[2.4vh]/[3vh] font-semibold' : 'sr-only'}>
      <span className="sr-only">Air quality now</span>
      {sensor && (
        <>
          <span className="sr-only"> – </span>
          <bdi>{sensor}</bdi>
        </>
      )}
    </h1>
  );
  return (
    <ReadingsContext.Provider value={readings}>
      <LoadedWall
        chart={(scale) =>
          chart ? (
            chart(scale)
          ) : (
            <RangeChart
              range={range}
              className="h-full min-h-0 flex-1"
              scale={scale}
              whenEmpty={hasLoaded ? 'Waiting for the next reading.' : undefined}
            />
          )
        }
      >
        {isUnknown && title}
        {isInTrouble && <ConnectionNotice connection={connection} problem={problem} />}
        <WithoutScript last={last} />
        {isUnknown ? (
          <p className="py-[2vh] text-[min(6vh,7vw)]/tight">
            <UnknownSensor sensor={readings.sensor} />
          </p>
        ) : (
          <AirNow isWall title={title} />
        )}
      </LoadedWall>
    </ReadingsContext.Provider>
  );
}
