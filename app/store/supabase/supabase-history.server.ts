import type { RollUp } from '../../readings/roll-up/roll-up';
import type { HistoryQuery, ReadingStore } from '../reading-store';
import { rollUpOf, summaryOf } from './roll-up-row.server';
import { noteAnswer, type Project, queryError } from './supabase-errors.server';
import { anySignal, type supabaseQueries } from './supabase-queries.server';

/** The most steps of a response: 0.3 MB, and with the longest numbers that the migrations allow just under 4 MiB. */
const PIECE_STEPS = 1000;
/** The longest span of a response with several steps, in seconds: the database adds up at most 105,000 slots for it. */
const PIECE_SECONDS = 365 * 86_400;
/** How many responses are asked for side by side. A small project has two processors. */
const PIECES_AT_ONCE = 4;

/**
 * Returns the history of the store, in pieces that are asked for side by side.
 *
 * @param timeoutMs bounds the requests that are under way at a time
 */
export function supabaseHistory(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
): Pick<ReadingStore, 'rollUps' | 'summary'> {
  async function fetchPiece(query: HistoryQuery, deadline: AbortSignal): Promise<RollUp[]> {
    const result = await queries.history(query, deadline);
    query.signal?.throwIfAborted();
    noteAnswer(result, project);
    const rows = !result.error && Array.isArray(result.data) ? result.data : null;
    const rollUps = rows?.flatMap((row) => rollUpOf(row) ?? []);
    if (!rollUps || rollUps.length !== rows?.length) throw queryError(result, project);
    return rollUps;
  }

  return {
    async *rollUps(query) {
      const pieces = piecesOf(query);
      for (let i = 0; i < pieces.length; i += PIECES_AT_ONCE) {
        const deadline = anySignal(AbortSignal.timeout(timeoutMs), query.signal);
        const batch = pieces.slice(i, i + PIECES_AT_ONCE);
        yield* await Promise.all(batch.map((piece) => fetchPiece(piece, deadline)));
      }
    },
    async summary(query) {
      const deadline = anySignal(AbortSignal.timeout(timeoutMs), query.signal);
      const result = await queries.summary(query, deadline);
      query.signal?.throwIfAborted();
      noteAnswer(result, project);
      const summary = result.error ? null : summaryOf(result.data);
      if (!summary) throw queryError(result, project);
      return summary;
    },
  };
}

/** Cuts a query into those of its pieces. */
function piecesOf(query: HistoryQuery): HistoryQuery[] {
  const { from, to, step } = query;
  const length = step * Math.max(1, Math.min(PIECE_STEPS, Math.floor(PIECE_SECONDS / step)));
  return Array.from({ length: Math.ceil((to - from) / length) }, (_, i) => ({
    ...query,
    from: from + i * length,
    to: Math.min(to, from + (i + 1) * length),
  }));
}
