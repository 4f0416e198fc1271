import type { Metric } from '../../readings/metric';
import type { AskedSpan, Span } from '../../readings/time/history-span';
import { Card, Notice } from '../card';
import { numbersAddress, RENEW_MS, RoomsTable, useRoomNumbers } from '../rooms/rooms-table';

interface SpanNumbersProps {
  title: string;
  metric: Metric;
  sensors: readonly string[];
  span: Span;
  inView: AskedSpan;
  now: number;
}

/** The numbers of the compared rooms over a span, the worst room first. */
export function SpanNumbers({ title, metric, sensors, span, inView, now }: SpanNumbersProps) {
  // A span until now isn't another question each second.
  const to = span.to > now ? Math.ceil(span.to / RENEW_MS) * RENEW_MS : span.to;
  const address = numbersAddress({ from: span.from, to }, { metric: metric.field, sensors });
  const { rooms, isOld, failure } = useRoomNumbers(address, span.to > now);
  return (
    <Card title={title} isLong>
      {failure && <Notice isSilent>{failure.message}</Notice>}
      {rooms?.length === 0 && <p className="py-4 text-muted">No room has values of this time.</p>}
      {rooms && rooms.length > 0 && <RoomsTable {...{ rooms, metric, span, inView, now, isOld }} />}
    </Card>
  );
}
