import { Card } from '../card';
import { formatTimeOfDay } from '../local-time';
import { useNow } from '../use-now';
import { AutoPoster } from './auto-poster';
import { CounterButton } from './counter-button';
import { ReadingForm } from './reading-form';
import type { SubmitReading } from './submit-reading';

interface PostPanelProps {
  submit: SubmitReading;
  /** The sensor that readings are posted for, if the page mentions one. */
  sensor: string | null;
  /** False on a real installation: the panel then has the typed reading alone. */
  offersRandomPosts: boolean;
  /** True if a device has posted lately. */
  hasDevicePosted: boolean;
}

/** The 'Post data' panel: every way to submit a reading, each with the result of its last submission. */
export function PostPanel({ submit, sensor, offersRandomPosts, hasDevicePosted }: PostPanelProps) {
  return (
    <Card title="Post data" sensor={sensor} needsScript aside={<LocalClock />}>
      <div className="grid gap-6">
        <ReadingForm submit={submit} />
        {offersRandomPosts && (
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
