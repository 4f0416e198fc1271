import type { LiveReadings } from '../../../live/browser/use-readings';
import { counted } from '../../../readings/format/counted.js';
import { formatWithUnit } from '../../../readings/format/format-value';
import { CO2, type Thresholds } from '../../../readings/metric';
import type { AirChanges, AiringAnswer, VentilationAnswer } from '../../../readings/room/ventilation-answer';
import type { Span } from '../../../readings/time/history-span';
import { Card } from '../../card';
import { formatRange } from '../../room/airing-texts';
import { useVentilation } from '../../room/use-room-answers';
import { AiringsCard } from './airings-card';
import { Fact } from './fact';
import { MoistureCard } from './moisture-card';
import { SensorCard } from './sensor-card';

interface RoomCardsProps {
  readings: LiveReadings;
  /** Null while there is nothing to show yet. */
  span: Span | null;
  airings: readonly AiringAnswer[] | null;
  thresholds: Thresholds;
  isKeyNeeded: boolean;
}

/** The cards about a sensor's room: its air changes, its airings, and whether the sensor can be believed. */
export function RoomCards({ readings, span, airings, thresholds, isKeyNeeded }: RoomCardsProps) {
  const ventilation = useVentilation(readings);
  if (!ventilation) return null;
  const newest = readings.history.findLast(({ co2 }) => co2 !== null)?.co2 ?? null;
  const { moisture, outdoors } = ventilation;
  const isOutdoors = outdoors?.sensor === readings.sensor;
  const isByHumidity = newest === null || airings?.some(({ to_g_m3 }) => to_g_m3 !== null);
  const hasAirings = !isOutdoors && (isByHumidity ? moisture !== null : !silenceOf(ventilation));
  return (
    <>
      {newest !== null && (
        <BreathingCard ventilation={ventilation} newest={formatWithUnit(CO2, newest, thresholds.co2)} />
      )}
      {moisture && <MoistureCard {...{ moisture, outdoors, isOutdoors }} />}
      {span && airings && hasAirings && (
        <AiringsCard airings={airings} span={span} now={Date.parse(ventilation.at)} />
      )}
      {newest !== null && !isOutdoors && (
        <SensorCard
          ventilation={ventilation}
          readings={readings}
          span={span}
          reasons={reasonsAbout('Sensor', ventilation.reasons)}
          isKeyNeeded={isKeyNeeded}
        />
      )}
      {reasonsAbout('Outdoors', ventilation.reasons).map((reason) => (
        <p key={reason} className="text-sm text-pretty text-muted">
          Outdoors: {reason}
        </p>
      ))}
    </>
  );
}

interface BreathingCardProps {
  ventilation: VentilationAnswer;
  /** The newest CO2 value with its unit. */
  newest: string | null;
}

/** A card with a room's air changes, the usual length of an airing, and the share of rebreathed air. */
export function BreathingCard({ ventilation, newest }: BreathingCardProps) {
  const { air_changes: changes, usual_airing_minutes: usual, rebreathed, reasons } = ventilation;
  const silence = silenceOf(ventilation);
  if (silence) {
    return (
      <Card title="How this room breathes">
        <p className="text-pretty">{silence}</p>
      </Card>
    );
  }
  return (
    <Card title="How this room breathes">
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-3">
        {changes ? (
          <Fact value={changesRange(changes)} what="air changes an hour, closed">
            One air change takes {newAfter(changes)}. Measured {counted(changes.decays, 'time')}.
          </Fact>
        ) : (
          <Fact what="air changes an hour, closed">{reasonsAbout('Air changes', reasons).join(' ')}</Fact>
        )}
        {usual ? (
          <Fact value={`${formatRange(usual)} min`} what="of airing are enough">
            Airing longer loses heat and gains little.
          </Fact>
        ) : (
          <Fact what="how long airing takes">{reasonsAbout('Airing', reasons).join(' ')}</Fact>
        )}
        {rebreathed === null ? (
          <Fact what="how much of this air was breathed before" />
        ) : (
          <Fact value={nthBreath(rebreathed)} what={newest ? `at ${newest}` : ''}>
            {percentOf(rebreathed)} of this air has been in somebody's lungs.
          </Fact>
        )}
      </div>
      {reasonsAbout('Forecast', reasons).map((reason) => (
        <p key={reason} className="mt-4 text-sm text-pretty text-muted">
          No forecast: {reason}
        </p>
      ))}
    </Card>
  );
}

/** Returns why airboard can't judge the room, for example in the sensor's first day; undefined if it can. */
function silenceOf({ reasons }: VentilationAnswer): string | undefined {
  return reasonsAbout('Room', reasons)[0];
}

/** Returns the reasons that begin with a topic, such as `Sensor: its lowest values moved.`, without the topic. */
function reasonsAbout(topic: string, reasons: readonly string[]): string[] {
  return reasons
    .filter((reason) => reason.startsWith(`${topic}: `))
    .map((reason) => reason.slice(topic.length + 2))
    .map((reason) => reason.charAt(0).toUpperCase() + reason.slice(1));
}

/** Formats the range with one decimal, `0.5 to 0.8`, or with two below 0.1. */
function changesRange({ lowest, highest }: AirChanges): string {
  return formatRange([lowest, highest], lowest < 0.1 ? 2 : 1);
}

/** Returns the time for one air change: `about 40 min`, `about an hour`. */
export function newAfter({ median }: Pick<AirChanges, 'median'>): string {
  const minutes = 60 / median;
  if (minutes < 50) return `about ${Math.max(5, Math.round(minutes / 5) * 5)} min`;
  if (minutes < 75) return 'about an hour';
  if (minutes < 105) return 'about an hour and a half';
  return `about ${Math.round(minutes / 60)} hours`;
}

const RAREST = 1000;

/** Formats the share of rebreathed air: `every 48th breath` for 0.021. */
export function nthBreath(rebreathed: number): string {
  const n = 1 / rebreathed;
  if (!(n > 0 && n <= RAREST)) return `rarer than every ${RAREST}th breath`;
  return `every ${ordinal(Math.round(n))} breath`;
}

function ordinal(n: number): string {
  const isTeen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[n % 10]) ?? 'th'}`;
}

function percentOf(share: number): string {
  return share < 0.001 ? 'Less than 0.1 %' : `${(share * 100).toFixed(1)} %`;
}
