import { Card } from '../card';
import { formatTimeOfDay } from '../local-time';
import { useNow } from '../use-now';
import { AutoPoster } from './auto-poster';
import { CounterButton } from './counter-button';
import { RandomElsewhere } from './random-data-button';
import { ReadingForm } from './reading-form';
import type { SubmitReading } from './submit-reading';

interface PostPanelProps {
  submit: SubmitReading;
  /** The sensor that readings are posted for, if the page mentions one. */
  sensor: string | null;
  /** True if the page shows the unnamed sensor, the only one that random readings are for. */
  isUnnamed: boolean;
  /** False on a real installation: the panel then has the typed reading alone. */
  offersRandomPosts: boolean;
  /** True if a device has posted lately without a sensor's name. */
  hasDevicePosted: boolean;
}

/** The 'Post data' panel: every way to submit a reading, each with the result of its last submission. */
export function PostPanel({ submit, sensor, isUnnamed, offersRandomPosts, hasDevicePosted }: PostPanelProps) {
  return (
    <Card title="Post data" sensor={sensor} needsScript aside={<LocalClock />}>
      <div className="grid gap-6">
        <ReadingForm submit={submit} />
        {offersRandomPosts && !isUnnamed && (
          <div className="border-t border-line pt-6">
            <RandomElsewhere />
          </div>
        )}
        {offersRandomPosts && isUnnamed && (
          <>
            <CounterButton submit={submit} />
            <AutoPoster submit={submit} hasDevicePosted={hasDevicePosted} />
          </>
        )}
      </div>
    </Card>
  );
}

/** The viewer's local time, updated every second. */
function LocalClock() {
  const now = useNow();
  return (
    <p className="text-lg font-semibold">
      <span className="sr-only">Local time: </span>
      <span data-testid="clock">{now === null ? '\u00a0' : formatTimeOfDay(new Date(now))}</span>
    </p>
  );
}
