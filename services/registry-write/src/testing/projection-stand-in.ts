import {
  type CapabilityResolution,
  eventDefinitions,
  getReviewFacts,
  resolveCapabilities,
} from '@agent-trust/contracts';
import { createEventRegistry, type EventLog } from '@agent-trust/event-log';
import type { Received, Rpc, Sent } from '@agent-trust/nats-rpc';

type Facts = Sent<(typeof getReviewFacts)['output']>;
type Standing = NonNullable<Facts['reviewer']>;
const registry = createEventRegistry(eventDefinitions);

/** The scripted answers of trust-projection, and the recorded queries. */
export type ProjectionStandIn = {
  /** Standing of reviewers, by agent id; unknown ones have none. */
  standings: Map<string, Standing>;
  /** Changes the facts of a review, as a read model that is behind would. */
  review: (facts: Facts) => Facts;
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
    review: (facts) => facts,
    taxonomy: new Map(),
    resolved: [],
    leave: () => rpc.close(),
  };
  await rpc.serve(resolveCapabilities, (input) => {
    standIn.resolved.push(input);
    const resolutions = input.names.map(
      (name) => standIn.taxonomy.get(name) ?? ({ name, outcome: 'unknown' } as const),
    );
    return { resolutions };
  });
  await rpc.serve(getReviewFacts, async ({ callerAgentId, receiverAgentId, transactionId }) => {
    let receiver: Facts['receiver'] = null;
    let position: Facts['position'] = null;
    const open = new Set<string>();
    for (const recorded of await log.readAll({ after: null, countMax: 10_000 })) {
      const event = registry.decodeKnown(recorded);
      position = String(recorded.position);
      if (event.type === 'AgentRegistered' && event.data.agentId === receiverAgentId) receiver = event.data;
      if (!('callerAgentId' in event.data) || event.type === 'SettlementRecorded') continue;
      const { data } = event;
      if (data.callerAgentId !== callerAgentId || data.receiverAgentId !== receiverAgentId) continue;
      if (event.type === 'ExchangeReviewed') open.delete(data.transactionId);
      else if (event.type !== 'ExchangeStarted') open.add(data.transactionId);
    }
    const found = transactionId === null ? ([...open].at(-1) ?? null) : open.has(transactionId) ? transactionId : null;
    return standIn.review({
      position,
      reviewer: standIn.standings.get(callerAgentId) ?? null,
      receiver,
      transactionId: found,
      isArchived: false,
    });
  });
  return standIn;
}
