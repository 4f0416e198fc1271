import { createRemixStub } from '@remix-run/testing';
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HeaderBar } from '../../app/ui/header-bar';

const PAGES = [
  ['/', 'Dashboard'],
  ['/chart', 'Chart'],
  ['/postdata', 'Post data'],
] as const;

test.each(PAGES)(
  'on %s shows the tagline, links to every page and marks the current one',
  async (path, name) => {
    const Stub = createRemixStub(PAGES.map(([path]) => ({ path, Component: HeaderBar })));
    render(<Stub initialEntries={[path]} />);
    const bar = await screen.findByRole('banner');
    expect(within(bar).getByText('know when to open a window')).toBeTruthy();
    const links = within(bar).getAllByRole('link');
    expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual(
      PAGES.map((page) => [...page]),
    );
    expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.textContent)).toEqual(
      [name],
    );
  },
);
