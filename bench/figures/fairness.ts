import { once } from 'node:events';
import { connect } from 'node:net';
import type { Figure, Measurement } from '../figure';
import { getRequest, HttpConnection, postRequest } from '../http-connection';
import { seedStoreWithHistory, startProduct } from '../servers';
import { percentile } from '../statistics';

/** The costly requests that another client repeats. */
const OTHERS = {
  'reads every reading': getRequest('/api/data'),
  'resumes a stream from the first reading': getRequest('/api/live?after=0'),
  'asks for more readings than there are': getRequest('/api/data?limit=999999999'),
  'asks for the numbers of all readings': getRequest('/api/summary'),
  'asks for the pattern of all readings': getRequest('/api/pattern?by=day&zone=Asia/Kathmandu'),
  'asks for addresses of many segments': getRequest('/a'.repeat(7000)),
  'posts numbers of 16,000 digits': postRequest({ co2: '1'.repeat(16_000), voc: 1 }),
};
const POST = postRequest({ co2: 415, voc: 120 });
const ROUND_MS = 5000;

/** Measures the latency of a post while another client repeats a costly request, with ten million stored readings. */
export const fairness: Measurement = {
  name: 'fairness',
  async measure() {
    // Not `tenMillionReadings`, because the posts change the store.
    const server = await startProduct(await seedStoreWithHistory(10_000_000));
    const figures: Figure[] = [];
    for (const [other, request] of Object.entries(OTHERS)) {
      const stop = askAgainAndAgain(server.port, request);
      const connection = await HttpConnection.open(server.url);
      const times: number[] = [];
      const startedAt = performance.now();
      while (performance.now() - startedAt < ROUND_MS) times.push((await connection.send(POST)).totalMs);
      connection.close();
      stop();
      const name = `post latency p99 while a client ${other}`;
      figures.push({ name, unit: 'ms', value: percentile(times, 0.99), target: { atMost: 100 } });
    }
    await server.stop();
    return figures;
  },
};

/** Repeats a request, reading each response to its end, until the returned function is called. */
function askAgainAndAgain(port: number, request: Buffer): () => void {
  let isStopped = false;
  let socket = connect(port, '127.0.0.1');
  const ask = async () => {
    while (!isStopped) {
      socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume();
      socket.end(request);
      await once(socket, 'close');
    }
  };
  ask();
  return () => {
    isStopped = true;
    socket.destroy();
  };
}
