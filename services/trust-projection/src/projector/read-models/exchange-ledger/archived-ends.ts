import type { Rows, Wanted } from '@agent-trust/projections';
import { archivedExchanges, exchangesArchivedBy, idHashOf } from '../exchange-archive/projection.ts';
import type { ProjectedRegistryEvent } from '../registry-event.ts';
import { exchanges } from './projection.ts';

/** Wants what `wasSeenToEnd` reads of the exchanges that an event archives. */
export function wantArchived(event: ProjectedRegistryEvent, wanted: Wanted): void {
  for (const { transactionId } of exchangesArchivedBy(event)) {
    wanted.row(exchanges, transactionId);
    wanted.row(archivedExchanges, idHashOf(transactionId));
  }
}

/**
 * Whether the end of an archived exchange came as an event, before the present one archives it, so that it was counted then. The others had
 * left the log before these rows were built, and are counted now: so counts are the same whenever the rows are built.
 */
export function wasSeenToEnd(rows: Pick<Rows, 'getBefore'>, transactionId: string): boolean {
  return (
    rows.getBefore(exchanges, transactionId)?.endedAt != null ||
    // Its row has left by its age, after its end.
    rows.getBefore(archivedExchanges, idHashOf(transactionId)) !== undefined
  );
}
