/** Deletes readings and brings them back, as `DELETE /api/data` and `/api/restore` ask. */
import { randomInt } from 'node:crypto';
import { CLOCK_RETRY_SECONDS, clockFault } from '../config/clock.server';
import { type ApiRequest, refusalOf, type WriteAnswer } from '../http/answer';
import { counted } from '../readings/format/counted.js';
import { DAY_MS } from '../readings/time/durations';
import { type DeletionQuery, KEPT_DAYS } from '../store/deletion-store';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { quoted, unknown } from './change-sensor.server';
import { takeRoom } from './post-rate.server';

interface Known {
  deletions: ReadingStore['deletions'];
  /** Returns the sensor that had a former name. */
  nameOf(sensor: string): string;
}

/** The answer to a deletion. Without deleted readings, there is nothing to bring back. */
export interface DeletedReadings {
  deleted: number;
  restore: string | null;
  until: string | null;
}

/** The answer to a restoration. */
export interface RestoredReadings {
  restored: number;
  /** The readings that stay deleted, because the sensor has others at their times; left out if there are none. */
  conflicts?: number;
}

/** Deletes the selected readings, which are kept for a week. Call `refuseWrite` first. */
export async function deleteReadings(
  { deletions, nameOf }: Known,
  { address }: Pick<ApiRequest, 'address'>,
  query: DeletionQuery,
): Promise<WriteAnswer> {
  const room = takeRoom(address());
  if (!room.ok) return room;
  try {
    const fault = clockFault();
    if (fault) throw new StoreUnavailableError(fault, CLOCK_RETRY_SECONDS);
    const { sensor, id } = query;
    const restore = String(randomInt(1e11, 1e12));
    const until = new Date(Date.now() + KEPT_DAYS * DAY_MS).toISOString();
    const deleted = await deletions.remove({ ...query, restore, until });
    if (deleted === null) return { ok: false, ...unknown(sensor, nameOf(sensor)) };
    if (deleted === 0 && id !== undefined)
      return { ok: false, status: 404, detail: `There is no reading ${id} of ${quoted(sensor)}.` };
    const value: DeletedReadings =
      deleted === 0 ? { deleted, restore: null, until: null } : { deleted, restore, until };
    if (deleted > 0) {
      const were = `${counted(deleted, 'reading')} of ${quoted(sensor)} ${deleted === 1 ? 'was' : 'were'}`;
      console.log(`[airboard] ${were} deleted. Until ${until}, /api/restore?id=${restore} brings them back`);
    }
    return { ok: true, status: 200, value };
  } catch (error) {
    return { ok: false, ...refusalOf(error) };
  }
}

/** Brings the readings of a deletion back. Call `refuseWrite` first. */
export async function restoreReadings(
  { deletions }: Pick<Known, 'deletions'>,
  { address }: Pick<ApiRequest, 'address'>,
  id: string,
): Promise<WriteAnswer> {
  const room = takeRoom(address());
  if (!room.ok) return room;
  try {
    const result = await deletions.restore(id);
    if (result.outcome !== 'restored') {
      return result.outcome === 'expired'
        ? {
            ok: false,
            status: 410,
            detail: `The readings were kept for ${KEPT_DAYS} days, and are gone now.`,
          }
        : {
            ok: false,
            status: 404,
            detail: `There is no deletion ${JSON.stringify(id)}, or its readings are back already.`,
          };
    }
    const { sensor, restored, conflicts } = result;
    const were = `${counted(restored, 'deleted reading')} of ${quoted(sensor)} ${restored === 1 ? 'is' : 'are'}`;
    const stay = conflicts > 0 ? `. It has others at the times of ${conflicts} more` : '';
    console.log(`[airboard] ${were} back${stay}`);
    const value: RestoredReadings = conflicts > 0 ? { restored, conflicts } : { restored };
    return { ok: true, status: 200, value };
  } catch (error) {
    return { ok: false, ...refusalOf(error) };
  }
}
