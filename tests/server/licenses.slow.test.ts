import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server';
import { filesBelow } from '../support/sources';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('the scripts have no licences as comments', () => {
  const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((path) => /@license|Copyright/.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('/licenses.txt has the licence of each package in the scripts', async () => {
  const response = await fetch(`${server.url}/licenses.txt`);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
  const text = await response.text();
  for (const name of ['react-dom', '@remix-run/router', 'chart.js', 'hammerjs', '@supabase/realtime-js'])
    expect(text).toContain(`${name}\n\n`);
  expect(text).toContain('Copyright (c) Facebook, Inc. and its affiliates.');
  expect(text.match(/Permission is hereby granted, free of charge/g)?.length).toBeGreaterThan(8);
});
