import type { ArchivedExchange } from '@agent-trust/log-archive';
import { defineTable, type Rows } from '@agent-trust/projections';
import { agents } from '../agent-directory/table.ts';
import { archivedExchanges, exchangesArchivedBy } from '../exchange-archive/projection.ts';
import { wantArchived, wasSeenToEnd } from '../exchange-ledger/archived-ends.ts';
import { exchanges } from '../exchange-ledger/projection.ts';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { type EndedExchange, endedExchange, isOfLiveness } from './ended-exchange.ts';
import { withExchange } from './packed-exchanges.ts';

/** The exchanges that an agent's liveness is computed from; no row if it was never called in production. */
export const recentExchanges = defineTable({
  name: 'recent_exchange',
  columns: { agentId: 'text', exchanges: 'text' },
  key: ['agentId'],
});

/** The agents whose recent exchanges an event may change. */
export function agentsWithNewExchanges(event: ProjectedRegistryEvent): readonly string[] {
  if (isOfLiveness(event)) return [event.data.receiverAgentId];
  const archived = exchangesArchivedBy(event);
  return archived.length === 0 ? noAgents : [...new Set(archived.map(({ receiverAgentId }) => receiverAgentId))];
}

const noAgents: readonly string[] = [];

/** Follows how agents deal with calls in production. The log's order does not matter, so an exchange counts the same once it is archived. */
export const recentExchangesProjection: RegistryProjection = {
  name: 'recent-exchanges',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [recentExchanges],
  readsFrom: [exchanges, archivedExchanges, agents],
  reads: (event, wanted) => {
    for (const agentId of agentsWithNewExchanges(event)) wanted.row(recentExchanges, agentId);
    if (isOfLiveness(event)) {
      wanted.row(exchanges, event.data.transactionId);
      wanted.row(agents, event.data.callerAgentId);
    }
    wantArchived(event, wanted);
  },
  apply: (event, rows) => {
    if (isOfLiveness(event)) {
      const { transactionId, callerAgentId, receiverAgentId } = event.data;
      const exchange = rows.get(exchanges, transactionId);
      // Without its start it has been archived, and the event that archived it adds it.
      if (exchange === undefined) return;
      const callerOrgId = rows.get(agents, callerAgentId)?.orgId ?? null;
      const { startedAt } = exchange;
      add(rows, receiverAgentId, endedExchange(event, { startedAt, recordedAt: event.recordedAt, callerOrgId }));
    }
    for (const archived of exchangesArchivedBy(event)) {
      const ended = endedOfArchived(archived);
      if (ended !== null && !wasSeenToEnd(rows, archived.transactionId)) add(rows, archived.receiverAgentId, ended);
    }
  },
};

const add = (rows: Rows, agentId: string, ended: EndedExchange): void => {
  const before = rows.get(recentExchanges, agentId)?.exchanges ?? '';
  rows.put(recentExchanges, { agentId, exchanges: withExchange(before, ended) });
};

const endedOfArchived = ({ outcome, answer }: ArchivedExchange): EndedExchange | null => {
  if (answer === null) return null;
  const { beganMs, answerMs, timedOut, callerOrgId } = answer;
  if (outcome === 'completed') return { beganMs, outcome: 'answered', answerMs, callerOrgId };
  return { beganMs, outcome: timedOut ? 'timed_out' : 'failed', answerMs, callerOrgId };
};
