import type { ShownSensor } from '../../readings/sensor';

/** Says that there is nothing to show of a sensor yet. The strip links to the others. */
export function UnknownSensor({ sensor }: Pick<ShownSensor, 'sensor'>) {
  if (!sensor) return <>No reading without the name of a sensor yet.</>;
  return (
    <span className="wrap-anywhere">
      No reading of a sensor named <bdi className="font-semibold">{sensor}</bdi> yet.
    </span>
  );
}
