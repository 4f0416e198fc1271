import { formatWithUnit } from '../../../readings/format/format-value';
import type { MoistureAnswer, MouldAnswer, OutdoorsAnswer } from '../../../readings/room/ventilation-answer';
import { Card } from '../../card';
import { useMetrics } from '../../page-contexts';
import { formatGrams } from '../../room/moisture-texts';
import { Fact } from './fact';

interface MoistureCardProps {
  moisture: MoistureAnswer;
  outdoors: OutdoorsAnswer | null;
  /** True for the sensor outdoors, whose air is in no room. */
  isOutdoors: boolean;
}

/** A card with the water in a room's air, what airing does to it, and the risk of mould. */
export function MoistureCard({ moisture, outdoors, isOutdoors }: MoistureCardProps) {
  const { absolute_humidity: grams, absolute_humidity_error: error, dew_point: dew, mould } = moisture;
  const temperature = useMetrics().find(({ field }) => field === 'temperature');
  const dewText = dew === null || !temperature ? null : formatWithUnit(temperature, dew);
  return (
    <Card title={isOutdoors ? 'Water in the air' : 'Water in the air of this room'}>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-3">
        <Fact value={formatGrams(grams)} what="of water in the air">
          Accurate to {error} g, as usual hygrometers are.
          {dewText && ` It condenses on what is colder than ${dewText} (the dew point).`}
        </Fact>
        {!isOutdoors && <AiringFact moisture={moisture} />}
        {!isOutdoors &&
          (mould ? (
            <Fact value={RISKS[mould.risk]} what="of mould on cold walls">
              {wallText(mould)} It was 80 % or more in {mould.hours} of the last {mould.of_hours} hours.
            </Fact>
          ) : (
            <Fact what="risk of mould on cold walls">
              {outdoors?.is_current && outdoors.temperature !== null
                ? '12 hours of readings are needed.'
                : 'The temperature outdoors isn’t known: a sensor outdoors, or OUTDOOR_TEMPERATURE, says it.'}
            </Fact>
          ))}
      </div>
    </Card>
  );
}

function wallText({ wall_humidity: humidity, wall_humidity_error: error }: MouldAnswer): string {
  if (humidity >= 100) return 'Water condenses there.';
  return `About ${humidity} % humidity there (±${error}).`;
}

const RISKS = { none: 'low risk', possible: 'possible risk', likely: 'risk' };

function AiringFact({ moisture }: { moisture: MoistureAnswer }) {
  const { airing_will: effect, outdoor_absolute_humidity: outdoors } = moisture;
  if (outdoors === null)
    return (
      <Fact what="what airing does to the humidity">
        The humidity outdoors isn’t known: a sensor outdoors, or OUTDOOR_TEMPERATURE and OUTDOOR_HUMIDITY, say
        it.
      </Fact>
    );
  return (
    <Fact value={effect ? `will ${effect} it` : 'no clear change'} what="airing this room">
      Outdoor air has {formatGrams(outdoors)}.
      {!effect && ' The difference is within the errors of the sensors.'}
    </Fact>
  );
}
