import { singleton } from '../../config/singleton.server';

/** Files for the process itself: the database and its logs, modules, the event loop. */
const OWN_FILES = 64;

/** How the process divides the files that it may have open. A connection is one of them. */
export interface FileBudget {
  /** Connections, those of streams included. */
  connections: number;
  /** Connections that last as event streams. The rest is for pages and posts. */
  streams: number;
  /** Requests that remix-serve answers at a time: each may read a file. */
  requests: number;
}

/** Returns the budget of this process. */
export function fileBudget(): FileBudget {
  return singleton('file-budget', () => divideFiles(openFilesLimit()));
}

/** Divides a limit on open files, so that connections can't use up what pages and their files need. */
export function divideFiles(limit: number): FileBudget {
  const files = Math.max(8, limit - OWN_FILES);
  const requests = Math.ceil(files / 8);
  const connections = files - requests;
  return { connections, streams: Math.floor(connections * 0.75), requests };
}

/** Returns the limit on open files, `RLIMIT_NOFILE`; the highest number where the system has none. */
function openFilesLimit(): number {
  // A report would otherwise look up the name of every connected client. The types for Node 20 lack this.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER;
}
