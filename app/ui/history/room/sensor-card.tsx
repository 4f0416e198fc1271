import { useId } from 'react';
import type { LiveReadings } from '../../../live/browser/use-readings';
import type { VentilationAnswer } from '../../../readings/room/ventilation-answer';
import type { Span } from '../../../readings/time/history-span';
import { Card } from '../../card';
import { Button, POPOVER_LOOK, PopoverHeader } from '../../controls';
import { SensorDifference } from './sensor-difference';

interface SensorCardProps {
  ventilation: VentilationAnswer;
  readings: Pick<LiveReadings, 'sensor' | 'sensors'>;
  span: Span | null;
  /** Reasons to doubt the readings, or reasons why they can't be judged. */
  reasons: readonly string[];
}

/** A card that says whether a sensor's CO2 can be believed, and how it differs from another sensor's. */
export function SensorCard({ ventilation, readings, span, reasons }: SensorCardProps) {
  const { believable, offered_offset: offset } = ventilation;
  return (
    <Card title="Can this sensor be believed?" aside={offset !== null && <Correction offset={offset} />}>
      {/* A sensor may be believable with reservations. */}
      {(believable !== true || reasons.length === 0) && <p>{VERDICTS[`${believable}`]}</p>}
      {reasons.map((reason) => (
        <p key={reason} className="mt-1 text-pretty">
          {reason}
        </p>
      ))}
      {span && <SensorDifference {...readings} span={span} />}
    </Card>
  );
}

const VERDICTS = {
  true: 'Its readings look right.',
  false: 'There are reasons to doubt it.',
  null: 'Not known yet.',
};

/** Explains how to correct a sensor. airboard changes no readings. */
function Correction({ offset }: { offset: number }) {
  const id = useId();
  const signed = signedPpm(offset);
  return (
    <>
      <Button {...{ popovertarget: id }}>Correct by {signed} PPM…</Button>
      <section
        id={id}
        {...{ popover: 'auto' }}
        aria-labelledby={`${id}-title`}
        className={`max-h-[calc(100dvh-2rem)] max-w-[min(34rem,calc(100vw-2rem))] overflow-y-auto [&_p]:mt-2 ${POPOVER_LOOK}`}
      >
        <PopoverHeader
          titleId={`${id}-title`}
          title={`Correct by ${signed} PPM`}
          {...{ popovertarget: id, popovertargetaction: 'hide' }}
        />
        <p>airboard never changes readings. Correct the sensor, in one of two ways:</p>
        <p>
          <strong>Calibrate it.</strong> Put it at an open window for ten minutes, away from your breath. Then
          run its forced recalibration with the outdoor CO2.
        </p>
        <p>
          <strong>Add the offset</strong> in the device's program. Only do so if the ten minutes at the window
          show the same difference: a room that is never fully aired looks the same.
        </p>
        <p>
          The number to add:{' '}
          <code className="rounded bg-canvas px-2 py-1 font-semibold select-all">{Math.round(offset)}</code>
        </p>
      </section>
    </>
  );
}

/** Formats an offset with its sign: `−38`, `+12`. */
function signedPpm(ppm: number): string {
  const size = Math.abs(Math.round(ppm));
  return `${ppm < 0 ? '−' : '+'}${size}`;
}
