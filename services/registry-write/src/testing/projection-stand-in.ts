import {
  type CapabilityResolution,
  eventDefinitions,
  findUnreviewedExchange,
  getReviewerStanding,
  resolveCapabilities,
} from '@agent-trust/contracts';
import { createEventRegistry, type EventLog } from '@agent-trust/event-log';
import type { Received, Rpc, Sent } from '@agent-trust/nats-rpc';

type Standing = NonNullable<Sent<(typeof getReviewerStanding)['output']>['standing']>;
const registry = createEventRegistry(eventDefinitions);

/** The scripted answers of trust-projection, and the recorded queries. */
export type ProjectionStandIn = {
  /** Standing of reviewers, by agent id; unknown ones have none. */
  standings: Map<string, Standing>;
  /** Resolutions of capability names; any other name is similar to nothing. */
  taxonomy: Map<string, CapabilityResolution>;
  /** Every query to the taxonomy, in order. */
  resolved: Received<(typeof resolveCapabilities)['input']>[];
  /** Disconnects it from the bus. */
  leave: () => Promise<void>;
};

/** Answers the commands' queries like trust-projection: those about exchanges straight from the log, the others as scripted. */
export async function serveProjection(rpc: Rpc, log: EventLog): Promise<ProjectionStandIn> {
  const standIn: ProjectionStandIn = {
    standings: new Map(),
    taxonomy: new Map(),
    resolved: [],
    leave: () => rpc.close(),
  };
  await rpc.serve(getReviewerStanding, ({ agentId }) => ({ standing: standIn.standings.get(agentId) ?? null }));
  await rpc.serve(resolveCapabilities, (input) => {
    standIn.resolved.push(input);
    const resolutions = input.names.map(
      (name) => standIn.taxonomy.get(name) ?? ({ name, outcome: 'unknown' } as const),
    );
    return { resolutions };
  });
  await rpc.serve(findUnreviewedExchange, async ({ callerAgentId, receiverAgentId }) => {
    const open = new Map<string, boolean>();
    for (const recorded of await log.readAll({ after: null, countMax: 10_000 })) {
      const event = registry.decodeKnown(recorded);
      if (!('callerAgentId' in event.data) || event.type === 'SettlementRecorded') continue;
      const { data } = event;
      if (data.callerAgentId !== callerAgentId || data.receiverAgentId !== receiverAgentId) continue;
      if (event.type === 'ExchangeReviewed') open.delete(data.transactionId);
      else if (event.type !== 'ExchangeStarted') open.set(data.transactionId, true);
    }
    return { transactionId: [...open.keys()].at(-1) ?? null };
  });
  return standIn;
}
