import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { endWithRun } from '../support/own-temporary-folder';
import { RawClient } from '../support/server/raw-client';
import { startServer } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { until } from '../support/until';

/** Opens streams of several addresses that read nothing. Node can't set the receive buffer of a socket, as Python can. */
const OPEN_DEAF_STREAMS = `
import socket, sys
streams = []
for i in range(300):
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    stream.connect(('127.0.0.1', int(sys.argv[1])))
    head = f'GET /api/live HTTP/1.1\\r\\nHost: board\\r\\nX-Forwarded-For: 192.0.2.{i // 150}\\r\\n\\r\\n'
    stream.sendall(head.encode())
    streams.append(stream)
sys.stdin.read()
`;
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  '300 streams that never read are dropped while posts are answered',
  async () => {
    const server = await startServer({ env: { ...WITH_HOLDS, TRUST_PROXY: '1', POSTS_PER_MINUTE: '0' } });
    const clients = spawn('python3', ['-c', OPEN_DEAF_STREAMS, String(server.port)], { stdio: 'pipe' });
    endWithRun(clients);
    const streams = async () =>
      Number(/^airboard_event_streams (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
    await until(async () => (await streams()) === 300, 60_000);
    const logged = server.output().length;
    await longestHold(server);
    const poster = new RawClient(server.port);
    const body = JSON.stringify({ co2: 1.234567890123456e-300, voc: 1, sensor: '🍳'.repeat(64) });
    const request = Buffer.from(
      `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const held: number[] = [];
    while ((await streams()) > 0) {
      for (let i = 0; i < 100; i++) expect((await poster.send(request))?.status).toBe(201);
      held.push((await longestHold(server)).processorMs);
      expect(held.length).toBeLessThan(100);
    }
    poster.close();
    expect(Math.max(...held)).toBeLessThan(100);
    expect(
      server
        .output()
        .slice(logged)
        .replace(/^\[holds\].*\n/gm, ''),
    ).toBe('');
    clients.kill();
    await server.stop();
  },
  300_000,
);
