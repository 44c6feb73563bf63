import { column, defineTable, type RowOf } from '@agent-trust/projections';
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

type Ended = Extract<ProjectedRegistryEvent, { type: 'ExchangeCompleted' | 'ExchangeFailed' | 'ExchangeAbandoned' }>;

type Ending = Pick<ExchangeRow, 'status' | 'statusCode' | 'endedAt' | 'endedPosition' | 'endDueAt'>;

const ending = (event: Ended): Ending => {
  const at = { endedPosition: event.position, endDueAt: null };
  switch (event.type) {
    case 'ExchangeCompleted': {
      const { statusCode, completedAt } = event.data;
      return { status: 'completed', statusCode, endedAt: new Date(completedAt), ...at };
    }
    case 'ExchangeFailed':
      return { status: 'failed', statusCode: null, endedAt: new Date(event.data.failedAt), ...at };
    case 'ExchangeAbandoned':
      return { status: 'abandoned', statusCode: null, endedAt: new Date(event.data.abandonedAt), ...at };
    default:
      return event satisfies never;
  }
};

export const exchangeLedgerProjection: RegistryProjection = {
  name: 'exchange-ledger',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [exchanges],
  reads: (event, wanted) => {
    switch (event.type) {
      case 'ExchangeCompleted':
      case 'ExchangeFailed':
      case 'ExchangeAbandoned':
      case 'ExchangeReviewed':
        wanted.row(exchanges, event.data.transactionId);
        return;
      default:
    }
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'ExchangeStarted': {
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
      case 'ExchangeCompleted':
      case 'ExchangeFailed':
      case 'ExchangeAbandoned':
      case 'ExchangeReviewed': {
        const exchange = rows.get(exchanges, event.data.transactionId);
        if (exchange === undefined) throw new Error(`exchange ${event.data.transactionId} has not started`);
        const change = event.type === 'ExchangeReviewed' ? { reviewed: true } : ending(event);
        rows.put(exchanges, { ...exchange, ...change });
        return;
      }
      default:
    }
  },
};
