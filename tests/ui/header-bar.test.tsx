import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HeaderBar } from '../../app/ui/header-bar';
import { reading, sensorWith } from '../support/readings/readings';
import { PAGE_PATHS } from '../support/sources';

/** Every page of `app/routes`. */
const PAGES = [
  ['/', 'Dashboard'],
  ['/history', 'History'],
  ['/chart', 'Chart'],
  ['/postdata', 'Post data'],
  ['/notifications', 'Notifications'],
] as const;

/** Without notifications on the server there is no link to their page. */
const USUAL = PAGES.slice(0, -1);

const HeaderOfNotifier = () => <HeaderBar hasNotifications />;

test('has a link for every page, besides those of all rooms and of settings', () => {
  expect([...PAGES.map(([path]) => path), '/rooms', '/sensors'].sort()).toEqual([...PAGE_PATHS].sort());
});

test.each(PAGES)(
  'on %s shows the name and tagline, links to every page and marks the current one',
  async (path, name) => {
    const Stub = createRemixStub(PAGES.map(([path]) => ({ path, Component: HeaderOfNotifier })));
    render(<Stub initialEntries={[path]} />);
    const bar = await screen.findByRole('banner');
    expect(within(bar).getByText('know when to open a window')).toBeTruthy();
    expect(within(bar).getByText('airboard')).toBeTruthy();
    const links = within(bar).getAllByRole('link');
    expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual(
      PAGES.map((page) => [...page]),
    );
    expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.textContent)).toEqual(
      [name],
    );
  },
);

test('has no link to notifications if they are off', async () => {
  const Stub = createRemixStub(USUAL.map(([path]) => ({ path, Component: () => <HeaderBar /> })));
  render(<Stub initialEntries={['/']} />);
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(USUAL.map(([, name]) => name));
});

test('keeps the sensor and the metrics of the address in its links, and for the chart its range', async () => {
  const Stub = createRemixStub(USUAL.map(([path]) => ({ path, Component: () => <HeaderBar /> })));
  render(<Stub initialEntries={['/chart?range=1HR&sensor=Lab&metrics=pm25,temperature']} />);
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/?sensor=Lab&metrics=pm25,temperature',
    '/history?sensor=Lab&metrics=pm25,temperature',
    '/chart?sensor=Lab&metrics=pm25,temperature&range=1HR',
    '/postdata?sensor=Lab&metrics=pm25,temperature',
  ]);
});

test.each([
  [1, false],
  [2, true],
])('on the settings of %i sensors, there is a link to all rooms: %s', async (count, isThere) => {
  const sensors = sensorWith([reading(1)])
    .concat(sensorWith([reading(2, { sensor: 'Lab' })]))
    .slice(0, count);
  const Stub = createRemixStub([
    { path: '/sensors', loader: () => ({ sensors }), Component: () => <HeaderBar /> },
  ]);
  render(<Stub initialEntries={['/sensors']} />);
  const links = await screen.findAllByRole('link');
  expect(links.some((link) => link.textContent === 'Rooms')).toBe(isThere);
});

test('keeps several rooms in the links between the pages that show them', async () => {
  const Stub = createRemixStub(USUAL.map(([path]) => ({ path, Component: () => <HeaderBar /> })));
  render(<Stub initialEntries={['/history?sensor=Lab&sensor=Attic&span=week']} />);
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/?sensor=Lab',
    '/history?sensor=Lab&sensor=Attic',
    '/chart?sensor=Lab&sensor=Attic',
    '/postdata?sensor=Lab',
  ]);
});

test('its links name the sensor that the page shows if there are several, even the unnamed one', async () => {
  const sensors = [...sensorWith([reading(1)]), ...sensorWith([reading(2, { sensor: 'Lab' })])];
  for (const [sensor, several, expected] of [
    ['', sensors, '/history?metrics=pm25&sensor='],
    ['Lab', sensors, '/history?metrics=pm25&sensor=Lab'],
    ['', sensors.slice(0, 1), '/history?metrics=pm25'],
  ] as const) {
    const initial = { sensor, sensors: several };
    const Stub = createRemixStub([
      { path: '/', Component: () => <HeaderBar />, loader: () => ({ initial }) },
    ]);
    render(<Stub initialEntries={['/?metrics=pm25']} />);
    const link = await screen.findByRole('link', { name: 'History' });
    expect(link.getAttribute('href')).toBe(expected);
    // Without a range, the chart would start empty.
    const chart = screen.getByRole('link', { name: 'Chart' });
    expect(chart.getAttribute('href')).toBe(`${expected.replace('/history', '/chart')}&range=10MIN`);
    cleanup();
  }
});
