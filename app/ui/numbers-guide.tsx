import { Fragment } from 'react';
import { nameWithUnit, withUnit } from '../readings/format/format-value';
import { METRICS, type Thresholds } from '../readings/metric';
import { Button, POPOVER_LOOK, PopoverHeader } from './controls';

const ID = 'numbers-guide';

/** Opens the guide, a popover that works without scripts. React 18 passes unknown attributes through. */
export function NumbersGuideButton() {
  return (
    <Button look="quiet" {...{ popovertarget: ID }}>
      <span className="max-sm:sr-only">What do the numbers mean?</span>
      <span
        aria-hidden="true"
        className="grid size-6 place-content-center rounded-full border border-muted text-sm sm:hidden"
      >
        ?
      </span>
    </Button>
  );
}

interface NumbersGuideProps {
  thresholds: Thresholds;
}

/** The guide, initially closed. Only the server renders its text, so that the scripts don't contain it. */
export function NumbersGuide(props: NumbersGuideProps) {
  return (
    <section
      id={ID}
      {...{ popover: 'auto' }}
      aria-labelledby={`${ID}-title`}
      className={`max-h-[calc(100dvh-2rem)] max-w-[min(40rem,calc(100vw-2rem))] overflow-y-auto [&_p]:mt-2 ${POPOVER_LOOK}`}
    >
      <PopoverHeader
        titleId={`${ID}-title`}
        title="What the numbers mean"
        {...{ popovertarget: ID, popovertargetaction: 'hide' }}
      />
      {import.meta.env.SSR ? (
        <div>
          <NumbersText {...props} />
        </div>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty string keeps the server's HTML.
        <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
      )}
    </section>
  );
}

const PARTICLES =
  'They come from cooking, candles, smoke and traffic. Cheap sensors count them by light and estimate their mass.';

/** For each metric, its meaning and the source of its thresholds or band. */
const TEXTS: Record<string, { what: string; source: string }> = {
  co2: {
    what: "molecules of carbon dioxide per million molecules of air. Outdoors there are a little over 400. People breathe it out, so it shows how little fresh air a room gets. Breathed air has about 38,000 PPM more than outdoor air, so (CO2 − 425) / 38,000 of the air in a room has been in somebody's lungs: at 1220 PPM every 48th breath (Rudnick and Milton, 2003). That says nothing about the risk of an infection.",
    source:
      'The defaults, 1000 and 2000 PPM, are the guide values that the indoor air hygiene commission of the German Environment Agency (Umweltbundesamt) published in 2008: below 1000 hygienically harmless, from 1000 to 2000 conspicuous, above 2000 unacceptable.',
  },
  voc: {
    what: "volatile organic compounds, such as vapours of paint, cleaning agents, cooking and people, in a thousand million molecules of air. Sensors of this kind can't tell one compound from another: the number is an estimate, good for comparing one hour with the next.",
    source:
      "The defaults, 400 and 800 PPB, are a rule of thumb of airboard's own. No authority has set them.",
  },
  voc_index: {
    what: "the amount of volatile organic compounds compared with the usual amount here, from 1 to 500. 100 is the sensor's own average of the last 24 hours, so two sensors can't be compared.",
    source: 'The defaults, 150 and 250, follow Sensirion, "What is Sensirion\'s VOC Index?", 2022.',
  },
  nox_index: {
    what: "the amount of nitrogen oxides compared with the usual amount here, from 1 to 500. 1 is the sensor's own average. A gas stove and traffic raise it.",
    source: 'The defaults, 20 and 150, follow Sensirion, "What is Sensirion\'s NOx Index?", 2022.',
  },
  hcho: {
    what: 'molecules of formaldehyde in a thousand million molecules of air. Chipboard, furniture, glue and smoke give it off, more in warm and damp air.',
    source:
      'The defaults are the guideline of Health Canada for 8 hours (2006), 40 PPB, and 80 PPB or 0.1 mg/m³ for half an hour, the guideline of the World Health Organization (2010) and of the German Environment Agency (2016).',
  },
  co: {
    what: 'molecules of carbon monoxide per million molecules of air: not CO2, but the poisonous gas of a fire without enough air. airboard is no CO alarm: buy one for rooms with a stove or a boiler.',
    source:
      "The defaults, 3.5 and 9 PPM, are the World Health Organization's guideline for 24 hours (2021), 4 mg/m³, and the standard of the US Environmental Protection Agency for 8 hours.",
  },
  no2: {
    what: 'molecules of nitrogen dioxide in a thousand million molecules of air. It comes from gas stoves and traffic.',
    source:
      "The defaults, 13 and 100 PPB, are the World Health Organization's guideline for 24 hours (2021), 25 µg/m³, and the standard of the US Environmental Protection Agency for an hour.",
  },
  o3: {
    what: 'molecules of ozone in a thousand million molecules of air. It comes from summer air outdoors, ionizers and laser printers.',
    source:
      "The defaults, 51 and 70 PPB, are the World Health Organization's guideline for 8 hours (2021), 100 µg/m³, and the standard of the US Environmental Protection Agency for 8 hours.",
  },
  radon: {
    what: 'decays of radon, a radioactive gas from the ground, in a second and a cubic metre. Many devices send the average of a day.',
    source:
      "The defaults, 100 and 300 Bq/m³, are the World Health Organization's reference levels for the average of a year (Handbook on Indoor Radon, 2009). A single day says little.",
  },
  pm1: {
    what: `particles of up to 1 micrometre, in micrograms in a cubic metre. ${PARTICLES} There is no guideline for them, so they have no levels.`,
    source: '',
  },
  pm25: {
    what: `particles of up to 2.5 micrometres, in micrograms in a cubic metre. ${PARTICLES}`,
    source:
      "The defaults, 15 and 35 µg/m³, are for an average of 24 hours: the World Health Organization's guideline of 2021, and the standard of the US Environmental Protection Agency.",
  },
  pm4: {
    what: `particles of up to 4 micrometres, in micrograms in a cubic metre. ${PARTICLES} There is no guideline for them, so they have no levels.`,
    source: '',
  },
  pm10: {
    what: `particles of up to 10 micrometres, in micrograms in a cubic metre: dust and pollen besides those of PM2.5. ${PARTICLES}`,
    source:
      "The defaults, 45 and 150 µg/m³, are for an average of 24 hours: the World Health Organization's guideline of 2021, and the standard of the US Environmental Protection Agency.",
  },
  temperature: {
    what: "the temperature at the sensor, whose own warmth may add a degree or two. It is stored in °C, and shown in °F if the viewer's country uses that, or as chosen at the end of the page. It has no levels.",
    source: '',
  },
  humidity: {
    what: 'the water vapour in the air, as a share of the most that air can hold at this temperature. It has no levels.',
    source:
      'The band from 30 to 60 % is that of the US Environmental Protection Agency, "A Brief Guide to Mold, Moisture and Your Home", 2012: dampness above it lets mould grow.',
  },
  pressure: {
    what: 'the pressure of the air at the sensor, not at sea level. It changes with the weather and with the height, and has no levels.',
    source: '',
  },
  noise: {
    what: 'the sound at the sensor, weighted as people hear it. 10 dB more sound about twice as loud. It has no levels: guidelines are for the average of a day or a night.',
    source: '',
  },
  light: {
    what: 'the light that falls on the sensor: some 100 lx in a living room in the evening, 500 lx on a desk, and up to 100,000 lx in the sun. It has no levels.',
    source: '',
  },
};

/** The guide's text, with the thresholds of this server. */
export function NumbersText({ thresholds }: NumbersGuideProps) {
  return METRICS.map((metric, i) => {
    const { field } = metric;
    const text = TEXTS[field];
    const threshold = thresholds[field];
    if (!text) return null;
    return (
      <Fragment key={field}>
        <p className={i > 0 ? 'mt-4!' : undefined}>
          <strong>{nameWithUnit(metric)}</strong>: {text.what}
        </p>
        {threshold && (
          <p>
            Here, below {withUnit(metric, threshold.good)} is good, below {threshold.moderate} moderate, and{' '}
            {threshold.moderate} or more poor.
          </p>
        )}
        {text.source && <p>{text.source}</p>}
      </Fragment>
    );
  });
}
