import type { FastifyReply } from 'fastify';
import {
  agentNotFound,
  faultAt,
  getAgent,
  getPastAgent,
  signVerdict,
  trustObjectToWire,
  unregistered,
  verifyBatchRoute,
  verifyRoute,
  agentProfileToWire,
  agentRoute,
  getAgentProfile,
  getPastAgentProfile,
  listRegistry,
  registryRoute,
} from '@agent-trust/contracts';
import { ask, readInHalves } from '../../bus/ask.ts';
import { readShownAgents } from '../../bus/read-shown-agents.ts';
import { universeOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { madeOf, sendJsonText, sendUnlessCurrent, setPageHeaders } from '../../http/public-document.ts';
import { HttpRefusal } from '../../http/error-answer.ts';
import { profileDocument, verdictText, verdictsText } from './held-texts.ts';

const verify = endpoint(
  verifyRoute,
  async ({ body, query, caller, request, reply }, gateway) => {
    const { as_of: asOf } = query;
    const universe = universeOf(caller);
    if (query.signed === 'true') {
      const { verdict } = await ask(gateway, request, signVerdict, { agentId: body.agent_id, universe });
      if (verdict === null) throw refusedAsUnregistered(body.agent_id);
      return { ...trustObjectToWire(verdict.agent, gateway.baseUrl), signed_verdict: verdict.signed };
    }
    // Who is seen from a sandbox is not what its agent_id alone decides.
    if (asOf === undefined && universe.kind === 'production') {
      const text = await verdictText(gateway, request, body.agent_id);
      if (text === null) throw refusedAsUnregistered(body.agent_id);
      return sendJsonText(reply, text);
    }
    const asked = { agentId: body.agent_id, universe };
    const { agent, archivedTo } = await (asOf === undefined
      ? ask(gateway, request, getAgent, asked).then((now) => ({ ...now, archivedTo: undefined }))
      : ask(gateway, request, getPastAgent, { ...asked, asOf }));
    sayArchived(reply, archivedTo);
    if (agent === null) throw refusedAsUnregistered(body.agent_id);
    return trustObjectToWire(agent, gateway.baseUrl);
  },
  {
    check: ({ query }) => {
      if (query.as_of !== undefined && query.signed === 'true') {
        throw faultAt('validation_failed', ['query', 'signed'], 'a signed verdict is of now: leave out as_of');
      }
    },
  },
);

/** The answer is of a moment behind which exchanges were archived: its counters may be less than they were then. */
const sayArchived = (reply: FastifyReply, archivedTo: string | undefined): void => {
  if (archivedTo !== undefined) void reply.header('x-registry-archived-to', archivedTo);
};

/** An unknown agent is both an error and a verdict, so that a reader of either does not trust it. */
const refusedAsUnregistered = (agentId: string): HttpRefusal =>
  new HttpRefusal(agentNotFound(agentId), { fields: unregistered(agentId) });

const verifyBatch = endpoint(verifyBatchRoute, async ({ body, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  if (universe.kind === 'production') {
    return sendJsonText(reply, await verdictsText(gateway, request, body.agent_ids));
  }
  const agents = await readShownAgents(gateway, request, universe, [...new Set(body.agent_ids)]);
  const shown = new Map(agents.map(({ agent }) => [agent.agentId, trustObjectToWire(agent, gateway.baseUrl)]));
  return body.agent_ids.map((agentId) => shown.get(agentId) ?? unregistered(agentId));
});

const profile = endpoint(agentRoute, async ({ params, query, caller, request, reply }, gateway) => {
  const { as_of: asOf } = query;
  const universe = universeOf(caller);
  if (asOf === undefined && universe.kind === 'production') {
    const made = await profileDocument(gateway, request, params.agent_id);
    if (made === null) throw agentNotFound(params.agent_id);
    return sendUnlessCurrent(request, reply, made);
  }
  const asked = { agentId: params.agent_id, universe };
  const { agent, ratings, archivedTo } = await (asOf === undefined
    ? ask(gateway, request, getAgentProfile, asked).then((now) => ({ ...now, archivedTo: undefined }))
    : ask(gateway, request, getPastAgentProfile, { ...asked, asOf }));
  sayArchived(reply, archivedTo);
  if (agent === null) throw agentNotFound(params.agent_id);
  return sendUnlessCurrent(request, reply, madeOf(agentProfileToWire(agent, ratings, gateway.baseUrl)));
});

const registry = endpoint(registryRoute, async ({ query, caller, request, reply }, gateway) => {
  const { agent_id_prefix: agentIdPrefix = null, min_trust_score: minTrustScore, limit, offset } = query;
  const universe = universeOf(caller);
  const { agents, total } = await readInHalves(
    { limit, offset },
    (batch) => ask(gateway, request, listRegistry, { universe, minTrustScore, agentIdPrefix, ...batch }),
    (first, second) => ({ agents: [...first.agents, ...second.agents], total: second.total }),
  );
  const filters = {
    min_trust_score: minTrustScore,
    ...(agentIdPrefix === null ? {} : { agent_id_prefix: agentIdPrefix }),
  };
  setPageHeaders(reply, `${gateway.baseUrl}/registry`, { limit, offset, ...filters }, total);
  const shown = agents.map((agent) => trustObjectToWire(agent, gateway.baseUrl));
  return sendUnlessCurrent(request, reply, madeOf(shown, [reply.getHeader('x-total-count'), reply.getHeader('link')]));
});

export const discoveryEndpoints: readonly Endpoint[] = [verify, verifyBatch, registry, profile];
