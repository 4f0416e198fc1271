import { createRemixStub } from '@remix-run/testing';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { PatternAnswer } from '../../../../app/readings/history/history-answer';
import type { MetricField } from '../../../../app/readings/metric';
import { Patterns } from '../../../../app/ui/history/patterns/patterns';
import { metricAnswer } from '../../../support/history/history-answers';
import { THRESHOLDS } from '../../../support/readings/readings';

const FROM = new Date('2026-11-15T00:00').getTime();
const TO = new Date('2026-11-22T00:00').getTime();
const hrefOf = () => '/';

/** An hour that measures these metrics. */
function measured(...fields: MetricField[]): PatternAnswer {
  const ifMeasured = <T,>(field: MetricField, value: T) => (fields.includes(field) ? value : null);
  const quartiles = { lower: 1, median: 2, upper: 3, days: 1, measured_seconds: 3600 };
  return {
    cells: [
      {
        start: new Date(FROM).toISOString(),
        co2: ifMeasured('co2', metricAnswer(500)),
        voc: ifMeasured('voc', metricAnswer(90)),
      },
    ],
    typical_day: [{ hour: 0, co2: ifMeasured('co2', quartiles), voc: ifMeasured('voc', quartiles) }],
  };
}

/** Renders the cards. The returned function shows another pattern. */
async function show(first: PatternAnswer | null, isLonger = false) {
  let update: (next: PatternAnswer | null) => void = () => {};
  function Page() {
    const [pattern, setPattern] = useState(first);
    const [last, setLast] = useState(first);
    update = (next) => {
      setPattern(next);
      if (next) setLast(next);
    };
    return (
      <Patterns
        by="hour"
        view={{ from: FROM, to: TO }}
        now={TO}
        first={null}
        isLonger={isLonger}
        thresholds={THRESHOLDS}
        {...{ pattern, last, hrefOf }}
      />
    );
  }
  const Stub = createRemixStub([{ path: '/', Component: Page }]);
  render(<Stub initialEntries={['/']} />);
  await screen.findAllByRole('table', {}, { timeout: 10_000 });
  await act(async () => {});
  return (next: PatternAnswer | null) => act(async () => update(next));
}

const titles = () => screen.getAllByRole('heading').map(({ textContent }) => textContent);
const choose = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

test('choosing the other measured metric changes both cards', async () => {
  await show(measured('co2', 'voc'));
  expect(titles()).toEqual(['When it is worst: CO2, by day and hour', 'The typical day: CO2']);
  await choose('VOC');
  expect(titles()).toEqual(['When it is worst: VOC, by day and hour', 'The typical day: VOC']);
  expect(screen.getByRole('button', { name: 'VOC' }).getAttribute('aria-pressed')).toBe('true');
  screen.getByRole('link', { name: /average 90 PPB/ });
});

test('a single measured metric is shown without a choice', async () => {
  await show(measured('voc'));
  expect(titles()[1]).toBe('The typical day: VOC');
  expect(screen.queryByRole('button')).toBeNull();
});

test('the choice survives a span that does not measure the metric', async () => {
  const update = await show(measured('co2', 'voc'));
  await choose('VOC');
  await update(measured('co2'));
  expect(titles()[1]).toBe('The typical day: CO2');
  await update(measured('co2', 'voc'));
  expect(titles()[1]).toBe('The typical day: VOC');
});

test('the choice survives the loading of another span', async () => {
  const update = await show(measured('co2', 'voc'));
  await choose('VOC');
  await update(null);
  expect(titles()[1]).toBe('The typical day: VOC');
});

test('both titles name the days if the patterns use more days than the span', async () => {
  await show(measured('co2'), true);
  expect(titles()).toEqual([
    'When it is worst: CO2, 15–21 Nov, by day and hour',
    'The typical day: CO2, 15–21 Nov',
  ]);
});
