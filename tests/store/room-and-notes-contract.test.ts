import { join } from 'node:path';
import { describe } from 'vitest';
import type { ReadingStore } from '../../app/store/reading-store';
import type { RoomStore } from '../../app/store/room-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { noteContract } from '../contracts/note-contract';
import { roomContract } from '../contracts/room-contract';
import { temporaryFolder } from '../support/server/server';

function roomOf({ room }: ReadingStore): RoomStore {
  if (!room) throw new Error('the embedded store keeps findings about rooms');
  return room;
}

/** Opens a store in a new file. */
function openNew() {
  const path = join(temporaryFolder(), 'readings.db');
  const opened = { store: openSqliteStore(path) };
  return {
    opened,
    async reopen(): Promise<ReadingStore> {
      await opened.store.close();
      opened.store = openSqliteStore(path);
      return opened.store;
    },
    close: () => opened.store.close(),
  };
}

describe('the notes of the embedded store', () => {
  noteContract(async () => {
    const { opened, reopen, close } = openNew();
    return { store: opened.store.notes, reopen: async () => (await reopen()).notes, close };
  });
});

describe('the findings of the embedded store', () => {
  roomContract(async () => {
    const { opened, reopen, close } = openNew();
    const insert = (sensor: string) => opened.store.insert({ co2: 1, voc: 1, sensor });
    return { store: roomOf(opened.store), insert, reopen: async () => roomOf(await reopen()), close };
  });
});
