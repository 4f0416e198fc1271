import { createRemixStub } from '@remix-run/testing';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ErrorBoundary } from '../app/root';
import { takeComplaints } from './support/components';

/** Renders the error page for a loader that throws. */
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
  'shows the specified heading for an unexpected error, and hides its message',
  async (thrown) => {
    await showThrown(thrown);
    expect(heading()).toBe('Unhandled Thrown Error!');
    expect(screen.getByText(/Reload this page/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/secret|a text/);
  },
);

test('shows the same heading for an error while rendering', async () => {
  const Broken = () => {
    throw new Error('broken');
  };
  const Stub = createRemixStub([{ path: '/', Component: Broken, ErrorBoundary }]);
  // jsdom prints errors that React reports to the window.
  const quiet = (event: ErrorEvent) => event.preventDefault();
  window.addEventListener('error', quiet);
  render(<Stub />);
  await screen.findByText('Unhandled Thrown Error!');
  window.removeEventListener('error', quiet);
  expect(takeComplaints().join()).toContain('broken');
});

test('an unknown page links to the known ones', async () => {
  await showThrown(new Response(null, { status: 404 }));
  expect(heading()).toBe('Page not found');
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/', '/history', '/chart', '/postdata']);
});

test("a rejected request shows its status and the server's explanation", async () => {
  await showThrown(new Response('Choose 10MIN.', { status: 400, statusText: 'Unknown range' }));
  expect(heading()).toBe('400 Unknown range');
  expect(screen.getByText('Choose 10MIN.')).toBeTruthy();
});
