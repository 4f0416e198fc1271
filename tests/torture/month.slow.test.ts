import { expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { type Connection, openConnection, RawClient } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { expectNoGrowth, inMiB, vitalsAtRest, WITH_VITALS } from '../support/server/vitals';
import { inLanes, LONG, report, SEED, size } from '../support/size';

/** A reading every 15 s for 30 days. */
const READINGS = size(172_800, 800);
const CLIENTS = size(500, 40);
const LANES = 16;
/** A client stays for up to this many readings, and is then away for ten times as long. */
const STAY = size(200, 10);

/** A client that opens the page, follows the stream, disconnects, and resumes later. */
class Visitor {
  visits = 0;
  #stream: Connection | undefined;
  #changeAt = 0;
  #lastId: number | undefined;

  constructor(
    private readonly server: RunningServer,
    private readonly random: () => number,
    /** False for visitors that only follow new readings after a reconnection. */
    private readonly resumes: boolean,
  ) {}

  /** Connects or disconnects if it is due after this number of posts. */
  tick(posted: number): void {
    if (posted < this.#changeAt) return;
    const stay = 1 + Math.floor(this.random() * STAY);
    if (this.#stream) {
      this.leave();
      this.#changeAt = posted + stay * 10;
    } else {
      const { socket } = this.#come();
      // The stay starts once the visitor is connected.
      this.#changeAt = Number.POSITIVE_INFINITY;
      socket.once('ready', () => {
        this.#changeAt = now.posted + stay;
      });
    }
  }

  leave(): void {
    this.#stream?.socket.removeAllListeners('ready').destroy();
    this.#stream = undefined;
    this.#changeAt = 0;
  }

  #come(): Connection {
    this.visits++;
    const resume = this.resumes && this.#lastId !== undefined ? `Last-Event-ID: ${this.#lastId}\r\n` : '';
    if (!resume) this.#lastId = undefined;
    const page = this.random() < 0.05 ? 'GET / HTTP/1.1\r\nHost: board\r\n\r\n' : '';
    const stream = openConnection(
      this.server.port,
      `${page}GET /api/live HTTP/1.1\r\nHost: board\r\n${resume}\r\n`,
    );
    // One in ten reads nothing, and disconnects in the middle of an event.
    if (!this.resumes && this.random() < 0.1) stream.socket.pause();
    else this.#follow(stream.socket);
    this.#stream = stream;
    return stream;
  }

  #follow(socket: Connection['socket']): void {
    let rest = '';
    socket.on('data', (part) => {
      const events = (rest + part).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, digits] = /id: (\d+)\ndata: /.exec(event) ?? [];
        if (!digits) continue;
        const id = Number(digits);
        if (this.#lastId !== undefined && id !== this.#lastId + 1) missed.push([this.#lastId, id]);
        this.#lastId = id;
      }
    });
  }
}

const now = { posted: 0 };
/** Gaps in a stream, as the ids on both sides. */
const missed: [number, number][] = [];

test(
  'a month of readings with clients that come and go leaves no memory, timer or listener behind',
  LONG,
  async () => {
    const server = await startServer({ env: { POSTS_PER_MINUTE: '0', ...WITH_VITALS } });
    const random = seededRandom(SEED);
    const visitors = Array.from({ length: CLIENTS }, (_, i) => new Visitor(server, random, i % 25 === 0));

    /** Posts until this many readings are posted, while visitors come and go. Then all disconnect. */
    async function live(until: number) {
      const clients = Array.from({ length: LANES }, () => new RawClient(server.port));
      await inLanes(LANES, until - now.posted, async (_, lane) => {
        const answer = await clients[lane]?.post('{"co2": 415, "voc": 120}');
        if (answer?.status !== 201) throw new Error(`a post was answered with ${answer?.status}`);
        now.posted++;
        for (const visitor of visitors) visitor.tick(now.posted);
      });
      for (const visitor of visitors) visitor.leave();
      for (const client of clients) client.close();
      return vitalsAtRest(server);
    }

    const young = await live(Math.floor(READINGS / 5));
    const startedAt = performance.now();
    const old = await live(READINGS);
    const seconds = (performance.now() - startedAt) / 1000;

    const visits = visitors.reduce((sum, visitor) => sum + visitor.visits, 0);
    const held = `held ${inMiB(young.heldBytes)}, then ${inMiB(old.heldBytes)}`;
    const rate = Math.round((READINGS * 0.8) / seconds);
    report(
      `${READINGS} readings, ${rate}/s, ${CLIENTS} clients with ${visits} visits: ${held}; resident ${inMiB(old.residentBytes)}`,
    );
    expectNoGrowth(young, old);
    expect(missed).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
