import { finished } from 'node:stream';
import { listOrgAgents, listOrgAgentsRoute, ownerTrustObjectToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { sendJsonArray } from '../../http/json-array.ts';
import { setPageHeaders } from '../../http/page-links.ts';
import { agentStretches, type ListedAgents } from './agent-stretches.ts';

export const orgAgents: Endpoint = endpoint(listOrgAgentsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId, universe } = caller.organisation;
  // Held until the answer is out or the client has gone, whichever it was.
  finished(reply.raw, gateway.orgListings.take(orgId));
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
