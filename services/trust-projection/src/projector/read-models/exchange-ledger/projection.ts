import { column, defineTable, type RowOf } from '@agent-trust/projections';
import { exchangesArchivedBy } from '../exchange-archive/projection.ts';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** One call through the registry: started, ended in one way, reviewed at most once. */
export const exchanges = defineTable({
  name: 'exchange',
  columns: {
    transactionId: 'text',
    callerAgentId: 'text',
    receiverAgentId: 'text',
    universe: 'text',
    status: column<'started' | 'completed' | 'failed' | 'abandoned'>('text'),
    statusCode: 'integer?',
    reviewed: 'boolean',
    startedAt: 'timestamptz',
    endedAt: 'timestamptz?',
    endedPosition: 'bigint?',
    /** When an end is overdue, by the log's clock; null once there is one. */
    endDueAt: 'timestamptz?',
  },
  key: ['transactionId'],
});
export type ExchangeRow = RowOf<typeof exchanges>;

/** What an event changes of an exchange that has started; null if nothing. */
const changeBy = (event: ProjectedRegistryEvent): { transactionId: string; change: Partial<ExchangeRow> } | null => {
  const end = { endedPosition: event.position, endDueAt: null };
  switch (event.type) {
    case 'ExchangeCompleted': {
      const { transactionId, statusCode, completedAt } = event.data;
      return { transactionId, change: { ...end, status: 'completed', statusCode, endedAt: new Date(completedAt) } };
    }
    case 'ExchangeFailed': {
      const { transactionId, failedAt } = event.data;
      return { transactionId, change: { ...end, status: 'failed', endedAt: new Date(failedAt) } };
    }
    case 'ExchangeAbandoned': {
      const { transactionId, abandonedAt } = event.data;
      return { transactionId, change: { ...end, status: 'abandoned', endedAt: new Date(abandonedAt) } };
    }
    case 'ExchangeReviewed':
      return { transactionId: event.data.transactionId, change: { reviewed: true } };
    default:
      return null;
  }
};

export const exchangeLedgerProjection: RegistryProjection = {
  name: 'exchange-ledger',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [exchanges],
  reads: (event, wanted) => {
    const changed = changeBy(event);
    if (changed !== null) wanted.row(exchanges, changed.transactionId);
    for (const { transactionId } of exchangesArchivedBy(event)) wanted.row(exchanges, transactionId);
  },
  apply: (event, rows) => {
    if (event.type === 'ExchangeStarted') {
      const { transactionId, callerAgentId, receiverAgentId, universe, startedAt, endsWithinMs } = event.data;
      rows.put(exchanges, {
        transactionId,
        callerAgentId,
        receiverAgentId,
        universe: universeKey(universe),
        status: 'started',
        statusCode: null,
        reviewed: false,
        startedAt: new Date(startedAt),
        endedAt: null,
        endedPosition: null,
        // Counted from the log's own clock: that of the proxy which wrote the event may be wrong.
        endDueAt: new Date(event.recordedAt.getTime() + endsWithinMs),
      });
      return;
    }
    for (const { transactionId } of exchangesArchivedBy(event)) {
      // One that was reviewed at the last moment stays in the log.
      if (rows.get(exchanges, transactionId)?.reviewed === false) rows.delete(exchanges, transactionId);
    }
    const changed = changeBy(event);
    if (changed === null) return;
    const exchange = rows.get(exchanges, changed.transactionId);
    // Archived: its start has left the log, or its row this table, while the event was on its way.
    if (exchange === undefined) return;
    rows.put(exchanges, { ...exchange, ...changed.change });
  },
};
