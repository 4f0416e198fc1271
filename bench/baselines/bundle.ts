/** What `/` can't do without: React, Remix's runtime, and of Chart.js what a line chart registers. */
import {
  Links,
  Meta,
  Outlet,
  RemixBrowser,
  Scripts,
  ScrollRestoration,
  useLoaderData,
} from '@remix-run/react';
import {
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';

Chart.register(CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

Object.assign(window, {
  used: [
    ...[Links, Meta, Outlet, RemixBrowser, Scripts, ScrollRestoration, useLoaderData],
    ...[StrictMode, startTransition, hydrateRoot, Chart],
  ],
});
