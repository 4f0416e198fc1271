import { Link } from '@remix-run/react';
import { latestCorrection } from '../../readings/correction';
import type { ShownSensor } from '../../readings/sensor';
import { NotFramed } from '../not-framed';
import { useMetrics } from '../page-contexts';
import { amountText } from './correction-text';
import { withSensor } from './sensor-address';

/** A line that says how a sensor's values are corrected, and that stored ones still are. Nothing without corrections. */
export function CorrectionLine({ sensor, sensors }: ShownSensor) {
  const metrics = useMetrics();
  const { corrections = [], is_recomputing } = sensors.find(({ name }) => name === sensor) ?? {};
  const texts = metrics.flatMap((metric) => {
    const latest = latestCorrection(corrections, metric.field);
    return latest ? [`${metric.name} ${amountText(metric, latest)}`] : [];
  });
  if (texts.length === 0 && !is_recomputing) return null;
  return (
    <p role="status" className="text-sm text-muted">
      {texts.length > 0 && `Corrected: ${texts.join(', ')}. `}
      {is_recomputing && 'Earlier readings are being recomputed. '}
      <NotFramed>
        <Link to={`/sensors${withSensor('', sensor)}`} className="text-accent underline print:hidden">
          Corrections
        </Link>
      </NotFramed>
    </p>
  );
}
