import { getAgent, production, type PublicAgent, trustObjectToWire } from '@agent-trust/contracts';
import { coalescedLookup } from '@agent-trust/limits';
import type { Rpc } from '@agent-trust/nats-rpc';
import { ask, type Origin } from '../../bus/ask.ts';
import { readShownAgents } from '../../bus/read-shown-agents.ts';
import { edgeLimits } from '../../limits.ts';

/** A trust object as text, and what else its score depends on. */
export type ShownVerdict = { text: string } & Pick<PublicAgent, 'orgId' | 'trustPolicy'>;

/** Finds trust objects that are not held. */
export type FindVerdict = (request: Origin, agentId: string) => Promise<ShownVerdict | null>;

/** Trust objects that are asked for while others are on their way share a question, which names the last of the requests. */
export function createFindVerdict(rpc: Rpc, baseUrl: () => string): FindVerdict {
  let last: Origin;
  const find = async (agentIds: string[]) => {
    const [agentId] = agentIds as [string];
    if (agentIds.length > 1) return readShownAgents({ rpc }, last, production, agentIds);
    const { agent } = await ask({ rpc }, last, getAgent, { agentId, universe: production });
    return agent === null ? [] : [{ agent }];
  };
  const lookup = coalescedLookup(
    async (agentIds) => shownVerdicts(await find(agentIds), baseUrl()),
    edgeLimits.verdictLookups,
  );
  return (request, agentId) => {
    last = request;
    return lookup(agentId);
  };
}

/** Trust objects by the ids of their agents. */
export function shownVerdicts(agents: readonly { agent: PublicAgent }[], baseUrl: string): Map<string, ShownVerdict> {
  return new Map(
    agents.map(({ agent }) => [
      agent.agentId,
      {
        text: JSON.stringify(trustObjectToWire(agent, baseUrl)),
        orgId: agent.orgId,
        trustPolicy: agent.trustPolicy,
      },
    ]),
  );
}
