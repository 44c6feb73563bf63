import type { EventsQuery, LogQuery, RegistryClient } from '@agent-trust/client';
import { useSession } from '../../session/use-session.ts';
import type { ShownEvent } from './event-words.ts';
import { type AuditSearch, type FilterName, filters, queryOf } from './search.ts';

/** Reads events with what the tab's credentials allow. */
export type EventSource = {
  /** The filters that may be used. */
  names: readonly FilterName[];
  query: LogQuery & EventsQuery;
  page: (
    client: RegistryClient,
    query: LogQuery & EventsQuery,
    signal: AbortSignal,
  ) => Promise<{ events: ShownEvent[]; next: EventsQuery | null }>;
  all: (client: RegistryClient, query: LogQuery & EventsQuery, signal: AbortSignal) => AsyncIterable<ShownEvent>;
};

/** The whole log for an operator; an own agent for an organisation, once one is named; null without a credential that reads events. */
export function useEventSource(search: AuditSearch): EventSource | 'name an agent' | null {
  const { operator, organisation, sandbox, universe } = useSession();
  if (operator !== null)
    return {
      names: filters.map(({ name }) => name),
      query: queryOf(search, true),
      page: (client, query, signal) => client.ops.events(query, { signal }),
      all: (client, query, signal) => client.ops.exportEvents(query, { signal }),
    };
  if ((universe === 'sandbox' ? sandbox : organisation) === null) return null;
  const { agent_id: agentId } = search;
  if (agentId === undefined) return 'name an agent';
  return {
    names: ownerFilters,
    query: queryOf(search, false),
    page: (client, query, signal) => client.org.agentEvents(agentId, query, { signal }),
    all: (client, query, signal) => client.org.exportAgentEvents(agentId, query, { signal }),
  };
}

export const ownerFilters: readonly FilterName[] = [
  'agent_id',
  'type',
  'credential',
  'correlation_id',
  'transaction_id',
  'from',
  'to',
  'before',
];
