import { nameLook, newNameFault, sameLookFault } from '../readings/sensor-name.js';
import { SensorRefusedError } from './reading-store';

export interface AdmittedSensor {
  /** The name under which its readings are stored. */
  name: string;
  isNew: boolean;
}

/** The names of the stored sensors, and the rules for new ones. */
export class KnownNames {
  readonly #names: Set<string>;
  /** The stored name for each look. Empty if the server was full from the start. */
  readonly #looks = new Map<string, string>();

  /** @param limit the most sensors; see `MAX_SENSORS` */
  constructor(
    names: Iterable<string>,
    private readonly limit: number,
  ) {
    this.#names = new Set(names);
    this.#names.delete('');
    if (this.#isFull()) return;
    for (const name of this.#names) this.#looks.set(nameLook(name), name);
  }

  /** True for a stored sensor and for the unnamed one, which every server may have. */
  has(name: string): boolean {
    return name === '' || this.#names.has(name);
  }

  /**
   * Admits a sensor, and adds its name if it is new. A known sensor may be sent in another composition (NFC, NFD).
   *
   * @throws SensorRefusedError if the sensor can't be added
   */
  admit(name: string): AdmittedSensor {
    const composed = name.normalize('NFC');
    const known = [name, composed].find((one) => this.has(one));
    if (known !== undefined) return { name: known, isNew: false };
    const fault = newNameFault(composed);
    if (fault !== null) throw new SensorRefusedError(fault);
    const look = nameLook(composed);
    const same = this.#looks.get(look);
    if (same?.normalize('NFC') === composed) return { name: same, isNew: false };
    if (same !== undefined) throw new SensorRefusedError(sameLookFault(same));
    if (this.#isFull()) throw new SensorRefusedError(fullDetail(this.limit), true);
    this.#names.add(composed);
    this.#looks.set(look, composed);
    return { name: composed, isNew: true };
  }

  /** Forgets a name whose readings weren't stored. */
  remove(name: string): void {
    this.#names.delete(name);
    this.#looks.delete(nameLook(name));
  }

  #isFull(): boolean {
    return this.#names.size >= this.limit;
  }
}

const fullDetail = (limit: number): string =>
  `is new, and this server already has ${limit} sensors (MAX_SENSORS). Readings of known sensors are still stored`;
