import { useState } from 'react';
import { ServerError } from '../../../live/browser/ask-server';
import type { LiveReadings } from '../../../live/browser/use-readings';
import { type Correction, latestCorrection, withOffset, withoutLatest } from '../../../readings/correction';
import { CO2 } from '../../../readings/metric';
import type { SensorSummary } from '../../../readings/reading';
import type { VentilationAnswer } from '../../../readings/room/ventilation-answer';
import type { Span } from '../../../readings/time/history-span';
import { Card, Notice } from '../../card';
import { Button } from '../../controls';
import { NotFramed } from '../../not-framed';
import { useWriteKey, WriteKeyForm } from '../../posting/write-key';
import { amountText, signed } from '../../sensors/correction-text';
import { changeSensor, reasonOf } from '../../settings/change-sensor';
import { SensorDifference } from './sensor-difference';

interface SensorCardProps {
  ventilation: VentilationAnswer;
  readings: Pick<LiveReadings, 'sensor' | 'sensors'>;
  span: Span | null;
  /** Reasons to doubt the readings, or reasons why they can't be judged. */
  reasons: readonly string[];
  isKeyNeeded: boolean;
}

/** A card that says whether a sensor's CO2 can be believed, and how it differs from another sensor's. */
export function SensorCard({ ventilation, readings, span, reasons, isKeyNeeded }: SensorCardProps) {
  const { believable, offered_offset: offered } = ventilation;
  const summary = readings.sensors.find(({ name }) => name === readings.sensor);
  return (
    <Card title="Can this sensor be believed?">
      {/* A sensor may be believable with reservations. */}
      {(believable !== true || reasons.length === 0) && <p>{VERDICTS[`${believable}`]}</p>}
      {reasons.map((reason) => (
        <p key={reason} className="mt-1 text-pretty">
          {reason}
        </p>
      ))}
      <OfferedCorrection {...{ summary, offered, isKeyNeeded }} />
      {span && <SensorDifference {...readings} span={span} />}
    </Card>
  );
}

const VERDICTS = {
  true: 'Its readings look right.',
  false: 'There are reasons to doubt it.',
  null: 'Not known yet.',
};

interface OfferedCorrectionProps {
  summary: SensorSummary | undefined;
  /** The offset that airboard offers; null if it offers none. */
  offered: number | null;
  isKeyNeeded: boolean;
}

/** Applies the offered offset with one press, and takes the last correction of CO2 back with one. */
function OfferedCorrection({ summary, offered, isKeyNeeded }: OfferedCorrectionProps) {
  const { key, isKeyRejected, rememberKey, rejectKey } = useWriteKey(isKeyNeeded);
  const [isKeyWanted, setKeyWanted] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const { name: sensor = '', corrections = [], first_heard: first = '' } = summary ?? {};
  const latest = latestCorrection(corrections, CO2.field);
  if (!summary || (offered === null && !latest)) return null;

  async function save(next: readonly Correction[]): Promise<void> {
    if (isKeyNeeded && !key) return setKeyWanted(true);
    setSending(true);
    setFailure(null);
    try {
      await changeSensor(sensor, { corrections: next }, { writeKey: key });
      // All numbers of the page are others now.
      location.reload();
    } catch (error) {
      setSending(false);
      if (!(error instanceof ServerError && error.status === 401))
        return setFailure(`Nothing was changed. ${reasonOf(error)}`);
      rejectKey();
      setKeyWanted(true);
    }
  }

  if (isKeyWanted && !key)
    return (
      <WriteKeyForm
        title="Correction"
        purpose="correct sensors on this server"
        isRejected={isKeyRejected}
        consequence="Nothing was changed."
        onKey={(entered) => {
          rememberKey(entered);
          setKeyWanted(false);
        }}
      />
    );
  const offset = offered === null ? null : Math.round(offered);
  return (
    <NotFramed>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        {offset !== null && (
          <Button
            look="primary"
            disabled={isSending}
            onClick={() =>
              save(withOffset(corrections, { metric: CO2.field, offset }, { first, now: Date.now() }))
            }
          >
            Correct by {signed(offset, CO2)}
          </Button>
        )}
        {latest && (
          <>
            <span>CO2 is corrected {amountText(CO2, latest)}.</span>
            <Button disabled={isSending} onClick={() => save(withoutLatest(corrections, CO2.field))}>
              Take the correction back
            </Button>
          </>
        )}
      </div>
      {offset !== null && (
        <p className="mt-2 text-sm text-pretty text-muted">
          Only do so if ten minutes at an open window show the same difference: a room that is never fully
          aired looks the same. Or calibrate the sensor there, with its forced recalibration.
        </p>
      )}
      {failure && <Notice>{failure}</Notice>}
    </NotFramed>
  );
}
