import {
  matchAgents,
  matchReasonText,
  matchResultText,
  matchRoute,
  trustObjectToWire,
  type Universe,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask, readInHalves } from '../../bus/ask.ts';
import { readShownAgents } from '../../bus/read-shown-agents.ts';
import type { Version } from './shown-agents.ts';
import type { Gateway } from '../../gateway.ts';
import { universeOf } from '../../http/caller/caller.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const match: Endpoint = endpoint(matchRoute, async ({ body, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  const filters = {
    universe,
    requiredCapabilities: body.required_capabilities ?? null,
    settlementRail: body.settlement_rail ?? null,
    orgName: body.org_name ?? null,
    messageProtocol: body.message_protocol ?? null,
    live: body.live ?? false,
    client: caller.kind === 'organisation' ? caller.organisation.orgId : gateway.anonymousIdOf(clientOf(request.ip)),
  };
  const { ranked } = await readInHalves(
    { limit: body.limit, offset: 0 },
    async (batch) => {
      const { build, reasons, matches } = await ask(gateway, request, matchAgents, { ...filters, ...batch });
      const reasonTexts = reasons.map(matchReasonText);
      return {
        ranked: matches.map(({ matchReasons, ...match }) => {
          return {
            ...match,
            build,
            reasonTexts: matchReasons.map((at) => reasonTexts[at]),
          };
        }),
      };
    },
    (first, second) => ({ ranked: [...first.ranked, ...second.ranked] }),
  );
  const texts = await textsOfAgents(gateway, request, universe, ranked);
  const results = ranked.flatMap((one) => {
    const agent = texts.get(one.agentId);
    return agent === undefined ? [] : matchResultText(agent, one, one.reasonTexts);
  });
  // Text that is already JSON.
  reply.type('application/json; charset=utf-8');
  return `[${results.join(',')}]`;
});

/**
 * The trust objects of ranked agents as JSON, by agent_id, each as it was ranked: an answer shows one moment. The best agents are ranked
 * often: only those that have changed are read and serialised again.
 */
async function textsOfAgents(
  gateway: Gateway,
  request: FastifyRequest,
  universe: Universe,
  ranked: readonly (Version & { agentId: string })[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const missing: (Version & { agentId: string })[] = [];
  for (const match of ranked) {
    const text = gateway.shownAgents.find(match.agentId, match);
    if (text === undefined) missing.push(match);
    else texts.set(match.agentId, text);
  }
  if (missing.length === 0) return texts;
  const agentIds = missing.map(({ agentId }) => agentId);
  const positions = missing.map(({ changedPosition }) => changedPosition);
  for (const { agent, ...version } of await readShownAgents(gateway, request, universe, agentIds, positions)) {
    const text = JSON.stringify(trustObjectToWire(agent, gateway.baseUrl));
    gateway.shownAgents.keep(agent.agentId, version, text);
    texts.set(agent.agentId, text);
  }
  return texts;
}
