import { join } from 'node:path';
import { describe } from 'vitest';
import type { ReadingStore } from '../../app/store/reading-store';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { deletionContract } from '../contracts/deletion-contract';
import { noteContract } from '../contracts/note-contract';
import { rawContract } from '../contracts/raw-contract';
import { roomContract } from '../contracts/room-contract';
import { settingsContract } from '../contracts/settings-contract';
import { temporaryFolder } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';

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
    return { store: opened.store.room, insert, reopen: async () => (await reopen()).room, close };
  });
});

describe('the settings of sensors in the embedded store', () => {
  settingsContract(async () => {
    const { opened, reopen, close } = openNew();
    return { store: opened.store, reopen, close };
  });
});

describe('removing raw readings from the embedded store', () => {
  rawContract(async () => ({ store: openNew().opened.store, close: async () => {} }));
});

describe('deleted readings in the embedded store', () => {
  deletionContract(async () => {
    const { opened, reopen, close } = openNew();
    return { store: opened.store, reopen, close };
  });
});

const openHosted = (double: SupabaseDouble) => openSupabaseStore({ ...double, serverKey: double.secretKey });

describe('the notes of the hosted store', () => {
  noteContract(async () => {
    const double = await startSupabaseDouble();
    const open = () => openHosted(double).notes;
    return { store: open(), reopen: async () => open(), close: double.stop };
  });
});

describe('the findings of the hosted store', () => {
  roomContract(async () => {
    const double = await startSupabaseDouble();
    const open = () => openHosted(double).room;
    const insert = (sensor: string) => openHosted(double).insert({ co2: 1, voc: 1, sensor });
    return { store: open(), insert, reopen: async () => open(), close: double.stop };
  });
});

describe('the settings of sensors in the hosted store', () => {
  settingsContract(async () => {
    const double = await startSupabaseDouble();
    return { store: openHosted(double), reopen: async () => openHosted(double), close: double.stop };
  });
});

describe('deleted readings in the hosted store', () => {
  deletionContract(async () => {
    const double = await startSupabaseDouble();
    return { store: openHosted(double), reopen: async () => openHosted(double), close: double.stop };
  });
});
