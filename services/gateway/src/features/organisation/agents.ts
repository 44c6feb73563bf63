import { finished } from 'node:stream';
import { listOrgAgents, listOrgAgentsRoute, type OwnerAgent, ownerTrustObjectToWire } from '@agent-trust/contracts';
import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { sendJsonArray } from '../../http/json-array.ts';
import { setPageHeaders } from '../../http/page-links.ts';
import { edgeLimits } from '../../limits.ts';

export const orgAgents: Endpoint = endpoint(listOrgAgentsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId, universe } = caller.organisation;
  // Held until the answer is out or the client has gone, whichever it was.
  finished(reply.raw, gateway.orgListings.acquire(orgId));
  const { limit, offset } = query;
  const stretches = agentStretches((stretch) => ask(gateway, request, listOrgAgents, { orgId, universe, ...stretch }), {
    limit,
    offset,
  });
  // Before anything is sent, so that what goes wrong here is answered as an error.
  const first = (await stretches.next()).value ?? { agents: [], total: 0 };
  const page = limit === undefined ? null : { limit, offset };
  setPageHeaders(reply, `${gateway.baseUrl}/org/agents`, page, first.total ?? 0);
  const toWire = ({ agents }: ListedAgents) => agents.map((agent) => ownerTrustObjectToWire(agent, gateway.baseUrl));
  async function* listed(): AsyncGenerator<object[]> {
    yield toWire(first);
    // HEAD has what it came for.
    if (request.method === 'HEAD') return;
    for await (const stretch of stretches) yield toWire(stretch);
  }
  return sendJsonArray(reply, listed(), (err) =>
    gateway.logger.warn({ err, request_id: request.id }, 'a listing of agents broke off'),
  );
});

/** A stretch begins behind the agent `after` and leaves out `offset` agents from there. */
type AgentStretch = { after: string | null; offset: number; limit: number };
type ReadAgents = (stretch: AgentStretch) => Promise<{ agents: OwnerAgent[]; total: number | null }>;
type ListedAgents = Awaited<ReturnType<ReadAgents>>;

/**
 * Reads an organisation's agents stretch by stretch, each behind the last agent of the one before, so that none is listed twice and none
 * is passed over while others come and go. A stretch that is larger than a message on the bus carries is read shorter.
 *
 * @param page.limit undefined: to the end
 */
async function* agentStretches(
  read: ReadAgents,
  page: { offset: number; limit: number | undefined },
): AsyncGenerator<ListedAgents, void> {
  let left = page.limit ?? Number.POSITIVE_INFINITY;
  let stretchMax: number = edgeLimits.orgAgentsStretchMax;
  let begin = { after: null as string | null, offset: page.offset };
  for (;;) {
    const limit = Math.min(left, stretchMax);
    const stretch = await unlessTooLarge(read({ ...begin, limit }), limit);
    if (stretch === null) {
      stretchMax = Math.ceil(limit / 2);
      continue;
    }
    yield stretch;
    const last = stretch.agents.at(-1);
    left -= stretch.agents.length;
    if (last === undefined || left === 0 || stretch.agents.length < limit) return;
    begin = { after: last.agentId, offset: 0 };
  }
}

/** A single agent is never too large: what its fields may hold is bounded far below. */
const unlessTooLarge = (reading: Promise<ListedAgents>, limit: number): Promise<ListedAgents | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof RpcPayloadTooLargeError && limit > 1) return null;
    throw error;
  });
