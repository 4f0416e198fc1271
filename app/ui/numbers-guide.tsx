import { Fragment } from 'react';
import { METRICS, type MetricField, type Thresholds, thresholdOf } from '../readings/metric';
import { Button, POPOVER_LOOK, PopoverHeader } from './controls';

const ID = 'numbers-guide';

/** Opens the guide, a popover, which needs no script. React 18 passes its attributes on. */
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

/** The guide, closed. Only the server renders its text, so that the scripts don't have it too. */
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
        // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty.
        <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
      )}
    </section>
  );
}

const TEXTS: { [F in MetricField]?: { what: string; defaults: string } } = {
  co2: {
    what: 'molecules of carbon dioxide in a million of air. Outdoors there are a little over 400. People breathe it out, so it shows how little fresh air a room gets.',
    defaults:
      'The defaults, 1000 and 2000 PPM, are the guide values that the indoor air hygiene commission of the German Environment Agency (Umweltbundesamt) published in 2008: below 1000 harmless as to hygiene, from 1000 to 2000 conspicuous, above 2000 unacceptable.',
  },
  voc: {
    what: "volatile organic compounds, such as vapours of paint, cleaning agents, cooking and people, in a thousand million molecules of air. Sensors of this kind can't tell one compound from another: the number is an estimate, good for comparing one hour with the next.",
    defaults:
      "The defaults, 400 and 800 PPB, are a rule of thumb of airboard's own. No authority has set them.",
  },
};

/** Says what the numbers mean, and the thresholds of this installation. */
export function NumbersText({ thresholds }: NumbersGuideProps) {
  return METRICS.map(({ field, name, unit }, i) => {
    const text = TEXTS[field];
    if (!text) return null;
    const { good, moderate } = thresholdOf(thresholds, field);
    return (
      <Fragment key={field}>
        <p className={i > 0 ? 'mt-4!' : undefined}>
          <strong>
            {name} ({unit})
          </strong>
          : {text.what}
        </p>
        <p>
          Here, below {good} {unit} is good, below {moderate} moderate, and {moderate} or more poor.
        </p>
        <p>{text.defaults}</p>
      </Fragment>
    );
  });
}
