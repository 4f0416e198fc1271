import type { AirReport, PendingState, ReportedSettings, SensorReport } from '../../readings/air/air-report';
import { MAX_SENSORS } from '../../readings/known-sensors';
import { sensorLabel } from '../../readings/sensor';
import { formatLongDuration, formatWholeMinutes } from '../../readings/time/durations';
import { Card } from '../card';
import { stateLook } from '../level-look';
import { LocalTime } from '../local-time';
import { useMetrics } from '../page-contexts';
import { formatReading } from '../readings-table';

export function SensorStates({ report }: { report: AirReport }) {
  const { sensorCount, settings, now } = report;
  const sensors = report.sensors.slice(0, MAX_SENSORS);
  const hasNames = sensors.some(({ sensor }) => sensor);
  return (
    <Card title="Sensors" note={<RulesNote settings={settings} />}>
      {sensors.length === 0 && <p className="text-muted">No readings yet.</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-2">
        {sensors.map((report) => (
          <SensorState key={report.sensor} report={report} now={Date.parse(now)} hasName={hasNames} />
        ))}
      </ul>
      {sensorCount > sensors.length && (
        <p className="text-sm text-muted">
          {sensors.length} of {sensorCount} sensors, those with the worst air.
        </p>
      )}
    </Card>
  );
}

function SensorState({ report, now, hasName }: { report: SensorReport; now: number; hasName: boolean }) {
  const { sensor, state, since, pending } = report;
  const metrics = useMetrics();
  return (
    <li
      data-state={state}
      className={`grid min-w-0 content-start rounded-xl px-3 py-2 text-sm/5 ${stateLook(state)}`}
    >
      {hasName && (
        <bdi title={sensorLabel(sensor)} className="truncate text-left">
          {sensorLabel(sensor)}
        </bdi>
      )}
      <strong className="text-lg/6">
        {state} for {formatWholeMinutes(now - Date.parse(since))}
      </strong>
      <span>
        {state === 'silent' ? 'last reading:' : 'since'} <LocalTime time={since} />
      </span>
      <span className="wrap-anywhere">{formatReading(report, metrics)}</span>
      {pending.map((next) => (
        <span key={next.to} className="font-semibold">
          {pendingText(next, now)}
        </span>
      ))}
    </li>
  );
}

/** Returns `poor in 2 min if this lasts`. */
function pendingText({ to, since, at }: PendingState, now: number): string {
  const ms = Date.parse(at) - now;
  if (to === 'silent')
    return `no reading for ${formatWholeMinutes(now - Date.parse(since))}${ms > 0 ? `: silent in ${formatWholeMinutes(ms)}` : ''}`;
  return ms < 1000
    ? `${to} with the next reading if this lasts`
    : `${to} in ${formatWholeMinutes(ms)} if this lasts`;
}

function RulesNote({ settings }: { settings: ReportedSettings }) {
  return <p className="max-w-prose text-sm text-muted">{rulesText(settings)}</p>;
}

export function rulesText({
  afterMs,
  silentAfterMs,
  on,
  quiet,
  timeZone,
  againMs,
}: ReportedSettings): string {
  return [
    afterMs > 0
      ? `A level counts once it has lasted ${formatLongDuration(afterMs)}.`
      : 'A level counts at once.',
    silentAfterMs === null
      ? 'A sensor is silent after three of its usual intervals without a reading, and at least 15 min.'
      : `A sensor is silent after ${formatLongDuration(silentAfterMs)} without a reading.`,
    on.length > 0
      ? `Notifications are sent for ${on.join(', ')}, and for the end of each.`
      : 'No notifications are sent.',
    quiet && `Quiet hours: ${quiet.from} to ${quiet.to} (${timeZone}).`,
    againMs !== null && `Reminders are sent after ${formatLongDuration(againMs)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
