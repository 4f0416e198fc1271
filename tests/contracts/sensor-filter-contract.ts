import { RealtimeClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../support/until';

/** A project under test, and a way to insert a row into it. */
export interface FilteredProject {
  url: string;
  publicKey: string;
  insert(sensor: string): Promise<void>;
  close(): Promise<void>;
}

/** Declares the tests of a custom client that gets the inserts of one sensor, as described in docs/supabase.md. */
export function sensorFilterContract(open: () => Promise<FilteredProject>): void {
  let project: FilteredProject;

  beforeAll(async () => {
    project = await open();
  });

  afterAll(() => project.close());

  test.each([
    ['a name', 'sensor=eq.Bedroom', 'Bedroom'],
    ['no name', 'sensor=eq.', ''],
    [
      'a comma and quotes in its name',
      `sensor=eq.${JSON.stringify('under "the" roof, left')}`,
      'under "the" roof, left',
    ],
    ['characters of a filter in its name', 'sensor=eq.a.b=(c)&d', 'a.b=(c)&d'],
  ])('a client gets only the inserts of a sensor with %s', async (_, filter, wanted) => {
    const client = new RealtimeClient(`${project.url.replace(/^http/, 'ws')}/realtime/v1`, {
      params: { apikey: project.publicKey },
      transport: WebSocket as never,
    });
    const sensors: string[] = [];
    let isSubscribed = false;
    client
      .channel('readings')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'data', filter }, (event) => {
        sensors.push((event.new as { sensor: string }).sensor);
      })
      .on('system', {}, ({ status }) => {
        isSubscribed = status === 'ok';
      })
      .subscribe();
    await until(() => isSubscribed);
    // Events may start later, so the test inserts for the sensor until one arrives.
    await until(async () => {
      for (const sensor of ['Kitchen', '', 'Bedroom', 'under "the" roof, left', 'a.b=(c)&d'])
        await project.insert(sensor);
      return sensors.length > 2;
    });
    expect(new Set(sensors)).toEqual(new Set([wanted]));
    await client.removeAllChannels();
    client.disconnect();
  });
}
