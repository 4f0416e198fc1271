import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Effects, type FollowEvent, startFollowing, step } from '../../../app/live/browser/follow';
import { HOSTED_LOOKBACK } from '../../../app/live/browser/live-feed';

/** An insert into the table, `afterMs` after the previous one. */
interface Insert {
  afterMs: number;
  /** How the feed announces it: with values, without values, or not at all. */
  event: 'full' | 'empty' | 'lost';
  /** The time that its transaction stays open. */
  openMs: number;
}

const SEED = 20_261_122;
const EVENT_MS = 270;

/** A page that follows a lossy feed and a table, in simulated time. */
class Simulation {
  now = 0;
  /** Times by id: when the row was committed, announced with its values, and known to the page. */
  readonly committed = new Map<number, number>();
  readonly announced = new Map<number, number>();
  readonly known = new Map<number, number>();
  #state = startFollowing({ deliversEveryInsert: false, silentReason: 'silent' });
  #tasks: { at: number; act: () => void }[] = [];
  #subscription: object | undefined;
  #isAttached = false;
  #request: object | undefined;
  #timer: object | undefined;

  constructor(private readonly fetchMs: number) {}

  run(inserts: readonly Insert[]): this {
    this.#handle({ type: 'opened' });
    let at = 1000;
    inserts.forEach((insert, i) => {
      at += insert.afterMs;
      this.#at(at + insert.openMs, () => this.#commit(i + 1, insert.event));
    });
    const end = at + 300_000;
    for (;;) {
      this.#tasks.sort((a, b) => a.at - b.at);
      const task = this.#tasks.shift();
      if (!task || task.at > end) return this;
      this.now = task.at;
      task.act();
    }
  }

  #at(at: number, act: () => void): void {
    this.#tasks.push({ at, act });
  }

  #in(ms: number, act: () => void): void {
    this.#at(this.now + ms, act);
  }

  #commit(id: number, event: Insert['event']): void {
    this.committed.set(id, this.now);
    if (event === 'lost' || !this.#isAttached) return;
    const subscription = this.#subscription;
    this.#in(EVENT_MS, () => {
      if (subscription !== this.#subscription) return;
      if (event === 'empty') return this.#handle({ type: 'inserted' });
      this.announced.set(id, this.now);
      this.#learn([id]);
      this.#handle({ type: 'inserted', id });
    });
  }

  #learn(ids: number[]): void {
    for (const id of ids) if (!this.known.has(id)) this.known.set(id, this.now);
  }

  #handle(event: FollowEvent): void {
    const { state, effects } = step(this.#state, event);
    this.#state = state;
    this.#perform(effects);
  }

  #perform({ stop, subscribe, fetch, schedule }: Effects): void {
    if (stop) {
      this.#subscription = undefined;
      this.#isAttached = false;
    }
    if (stop || fetch) this.#request = undefined;
    if (stop || fetch || schedule) this.#timer = undefined;
    if (subscribe) this.#subscribe();
    if (fetch) this.#fetch(fetch);
    if (schedule) {
      const timer = {};
      this.#timer = timer;
      const { purpose, ms } = schedule;
      this.#in(ms, () => timer === this.#timer && this.#handle({ type: 'timerFired', purpose }));
    }
  }

  #subscribe(): void {
    const subscription = {};
    this.#subscription = subscription;
    this.#in(500, () => {
      if (subscription !== this.#subscription) return;
      this.#isAttached = true;
      this.#handle({ type: 'connected' });
    });
  }

  #fetch(purpose: 'catch-up' | 'check' | 'rest'): void {
    const request = {};
    this.#request = request;
    const above = Math.max(0, ...this.known.keys()) - HOSTED_LOOKBACK;
    this.#in(this.fetchMs / 2, () => {
      const ids = [...this.committed.keys()].filter((id) => id > above);
      this.#in(this.fetchMs / 2, () => {
        if (request !== this.#request) return;
        this.#learn(ids);
        this.#handle({ type: 'fetched', purpose, ids, above, lacksHistory: false });
      });
    });
  }
}

/** Inserts that the feed announces in these ways, from bursts to one a minute. */
const inserts = (events: Insert['event'][], openMs = 0) =>
  fc.array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 60_000 })),
      event: fc.constantFrom(...events),
      openMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: openMs })),
    }),
    { minLength: 1, maxLength: 30 },
  );

const fetchMs = fc.integer({ min: 2, max: 2000 });

/** Returns the rows that the page receives later than `withinMs` after a time. */
const late = ({ known }: Simulation, times: Map<number, number>, withinMs: number) =>
  [...times].filter(([id, time]) => !((known.get(id) ?? Number.POSITIVE_INFINITY) - time <= withinMs));

describe(`a page receives (seed ${SEED})`, () => {
  test('each row announced without values, with the first fetch that can return it', () => {
    fc.assert(
      fc.property(inserts(['full', 'empty']), fetchMs, (list, ms) => {
        const simulation = new Simulation(ms).run(list);
        expect(late(simulation, simulation.committed, EVENT_MS + 2000 + 3 * ms)).toEqual([]);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test('each row whose event was lost, soon after the next event', () => {
    fc.assert(
      fc.property(inserts(['full', 'lost']), fetchMs, (list, ms) => {
        const simulation = new Simulation(ms).run(list);
        const next = new Map<number, number>();
        for (const id of simulation.committed.keys()) {
          const later = [...simulation.announced].find(([other]) => other > id);
          if (later) next.set(id, later[1]);
        }
        expect(late(simulation, next, 2000 + 3 * ms)).toEqual([]);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test('each row within a minute, however late its commit and whatever the feed announces', () => {
    fc.assert(
      fc.property(inserts(['full', 'empty', 'lost'], 110_000), fetchMs, (list, ms) => {
        const simulation = new Simulation(ms).run(list);
        // An earlier row's event doesn't reveal a lost one, and delays the check of a quiet feed.
        const lastEvent = (id: number) =>
          Math.max(0, ...[...simulation.announced].filter(([other]) => other < id).map(([, time]) => time));
        const times = [...simulation.committed].map(
          ([id, time]) => [id, Math.max(time, lastEvent(id))] as const,
        );
        expect(late(simulation, new Map(times), 60_000)).toEqual([]);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
