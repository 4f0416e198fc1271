/** The smallest script for `/`: React, Remix's runtime, and the parts of Chart.js that a line chart needs. */
import {
  Links,
  Meta,
  Outlet,
  RemixBrowser,
  Scripts,
  ScrollRestoration,
  useLoaderData,
} from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Chart } from './line-chart';

Object.assign(window, {
  used: [
    ...[Links, Meta, Outlet, RemixBrowser, Scripts, ScrollRestoration, useLoaderData],
    ...[StrictMode, startTransition, hydrateRoot, Chart],
  ],
});
