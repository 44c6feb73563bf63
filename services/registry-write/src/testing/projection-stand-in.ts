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

/** What trust-projection is to say, and what it was asked. */
export type ProjectionStandIn = {
  /** Of reviewers, by agent id; unknown ones have no standing. */
  standings: Map<string, Standing>;
  /** Of capability names; any other is close to nothing. */
  taxonomy: Map<string, CapabilityResolution>;
  /** Every question to the taxonomy, in order. */
  resolved: Received<(typeof resolveCapabilities)['input']>[];
  /** Takes it off the bus. */
  leave: () => Promise<void>;
};

/** Answers the questions of commands as trust-projection does: those about exchanges straight from the log, the others as a test says. */
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
