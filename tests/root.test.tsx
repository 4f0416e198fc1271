import { createRemixStub } from '@remix-run/testing';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ErrorBoundary } from '../app/root';
import { takeComplaints } from './support/components';

/** Renders a page whose loader throws. */
async function showThrown(thrown: unknown): Promise<void> {
  const Stub = createRemixStub([
    {
      path: '/',
      Component: () => null,
      ErrorBoundary,
      loader() {
        throw thrown;
      },
    },
  ]);
  render(<Stub />);
  await screen.findByRole('heading', { level: 1 });
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

test.each([[new Error('secret: the disk is at /dev/sda')], ['a text'], [null]])(
  'a thrown error is headed as the specification says, tells what to do, and keeps its words to itself',
  async (thrown) => {
    await showThrown(thrown);
    expect(heading()).toBe('Unhandled Thrown Error!');
    expect(screen.getByText(/Reload this page/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/secret|a text/);
  },
);

test('an error while a page is drawn is headed the same', async () => {
  const Broken = () => {
    throw new Error('broken');
  };
  const Stub = createRemixStub([{ path: '/', Component: Broken, ErrorBoundary }]);
  // React reports the error to the window, and jsdom would print it.
  const quiet = (event: ErrorEvent) => event.preventDefault();
  window.addEventListener('error', quiet);
  render(<Stub />);
  await screen.findByText('Unhandled Thrown Error!');
  window.removeEventListener('error', quiet);
  expect(takeComplaints().join()).toContain('broken');
});

test('a page that is not there names the routes and links them', async () => {
  await showThrown(new Response(null, { status: 404 }));
  expect(heading()).toBe('There is no such page');
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/', '/chart', '/postdata']);
});

test('a refused question shows its status and the server’s words', async () => {
  await showThrown(new Response('These are known: 10MIN.', { status: 400, statusText: 'Unknown range' }));
  expect(heading()).toBe('400 Unknown range');
  expect(screen.getByText('These are known: 10MIN.')).toBeTruthy();
});
