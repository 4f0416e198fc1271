import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transition } from '../readings/air/air-state';
import {
  type AlertChange,
  type AlertStore,
  LeaseLostError,
  type OutboxMessage,
  type WatchedSensor,
} from '../store/alert-store';

/** What is stored of a sensor at a time, whole or not at all. */
interface SensorChange {
  transitions: Transition[];
  withdrawn: AlertChange['withdrawn'];
  messages: OutboxMessage[];
}

/** Sensors of one commit. With more, it would hold the event loop for more than a few milliseconds. */
const SENSORS_PER_COMMIT = 50;

/**
 * The watched sensors, and what has changed since they were stored. Each sensor knows its newest judged reading, so that
 * some can be stored before others; the cursor is stored when all are.
 */
export class AlertChanges {
  readonly sensors = new Map<string, WatchedSensor>();
  /** All readings up to this id have been taken: judged, or noted as late ones that wait. */
  cursor: number;
  #storedCursor: number;
  #isAbandoned = false;
  readonly #unstored = new Set<string>();
  readonly #changes = new Map<string, SensorChange>();

  constructor(
    private readonly alerts: AlertStore,
    cursor: number,
    sensors: readonly WatchedSensor[],
  ) {
    this.cursor = cursor;
    this.#storedCursor = cursor;
    for (const watched of sensors) this.sensors.set(watched.sensor, watched);
  }

  /** Keeps what is known of a sensor. It is stored soon if there is something else to store with it, or it is new. */
  set(watched: WatchedSensor, change: Partial<SensorChange> = {}): void {
    const { sensor } = watched;
    const isNew = !this.sensors.has(sensor);
    this.sensors.set(sensor, watched);
    this.#unstored.add(sensor);
    if (!isNew && Object.keys(change).length === 0) return;
    const { transitions, withdrawn, messages } = this.changeOf(sensor) ?? NONE;
    this.#changes.set(sensor, {
      transitions: [...transitions, ...(change.transitions ?? [])],
      withdrawn: [...withdrawn, ...(change.withdrawn ?? [])],
      messages: [...messages, ...(change.messages ?? [])],
    });
  }

  changeOf(sensor: string): SensorChange | undefined {
    return this.#changes.get(sensor);
  }

  /** How many sensors have something to store soon. */
  get size(): number {
    return this.#changes.size;
  }

  /** Stores the sensors with changes. */
  async store(): Promise<void> {
    await this.#storeEach([...this.#changes.keys()]);
  }

  /**
   * Stores everything, so that readings need not be judged again after a restart.
   *
   * @param judged all readings up to this id are judged
   */
  async storeAll(judged: number): Promise<void> {
    if (judged === this.#storedCursor && this.#unstored.size === 0) return;
    await this.#storeEach([...this.#unstored], judged);
  }

  /** Stores nothing any more: another process may have stored what this one doesn't know. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** @param cursor is stored with the last ones */
  async #storeEach(names: readonly string[], cursor?: number): Promise<void> {
    const parts = Math.max(Math.ceil(names.length / SENSORS_PER_COMMIT), cursor === undefined ? 0 : 1);
    for (let part = 0; part < parts; part++) {
      const some = names.slice(part * SENSORS_PER_COMMIT, (part + 1) * SENSORS_PER_COMMIT);
      const changes = some.map((name) => this.#changes.get(name) ?? NONE);
      if (part > 0) await nextTurn();
      if (this.#isAbandoned) throw new LeaseLostError('Another process judges by now.');
      this.#storedCursor = part === parts - 1 && cursor !== undefined ? cursor : this.#storedCursor;
      await this.alerts.commit({
        cursor: this.#storedCursor,
        sensors: some.map((name) => this.sensors.get(name) as WatchedSensor),
        transitions: changes.flatMap(({ transitions }) => transitions),
        withdrawn: changes.flatMap(({ withdrawn }) => withdrawn),
        messages: changes.flatMap(({ messages }) => messages),
      });
      for (const name of some) {
        this.#unstored.delete(name);
        this.#changes.delete(name);
      }
    }
  }
}

const NONE: SensorChange = { transitions: [], withdrawn: [], messages: [] };
