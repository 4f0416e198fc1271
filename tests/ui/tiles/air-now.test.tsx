import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Reading } from '../../../app/readings/reading';
import { AirNow } from '../../../app/ui/tiles/air-now';
import { reading } from '../../support/readings';
import { THRESHOLDS } from '../../support/thresholds';

const future = reading(1, { co2: 415, voc: 100, created_at: '2099-01-01T00:00:00.000Z' });

/** Renders the tiles 5 s after reading 2 was stored. */
function renderAir(history: Reading[], last: Reading): void {
  render(
    <AirNow
      history={history}
      hasLoaded
      last={last}
      current={last}
      previous={null}
      loading={false}
      connection={{ state: 'live' }}
      thresholds={THRESHOLDS}
      clock={{ serverTime: Date.parse(reading(2).created_at) + 5000, viewerTime: performance.now() }}
    />,
  );
}

const verdict = () => screen.getByRole('region', { name: 'Verdict' }).textContent;
const co2 = () => screen.getByRole('article', { name: 'CO2' });
const notice = () => screen.queryByRole('alert')?.textContent;

test('a reading from the future is never called good air, and the page says that the clock was changed', () => {
  renderAir([future], future);
  expect(verdict()).toContain('The air is not known');
  expect(co2().dataset).toMatchObject({ freshness: 'ahead' });
  expect(co2().textContent).toContain('time not known');
  expect(co2().textContent).not.toContain('ago');
  expect(notice()).toContain("The server's clock was changed");
});

test('the verdict and the tiles follow what was stored after a reading from the future', () => {
  const last = reading(2, { co2: 2100, voc: 100 });
  renderAir([last, future], last);
  expect(verdict()).toContain('Open a window now');
  expect(co2().textContent).toMatch(/2,?100/);
  expect(co2().textContent).toContain('5 s ago');
  expect(notice()).toContain("The server's clock was changed");
});

test('says nothing of the clock if every reading is from the past', () => {
  renderAir([reading(1), reading(2)], reading(2));
  expect(verdict()).toContain('Good air');
  expect(notice()).toBeUndefined();
});
