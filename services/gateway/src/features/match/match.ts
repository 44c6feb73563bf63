import { matchAgents, matchReasonText, matchResultText, matchRoute } from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { textsOfAgents } from './texts-of-agents.ts';

export const match: Endpoint = endpoint(matchRoute, async ({ body, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  const filters = {
    universe,
    requiredCapabilities: body.required_capabilities ?? null,
    settlementRail: body.settlement_rail ?? null,
    orgName: body.org_name ?? null,
    messageProtocol: body.message_protocol ?? null,
  };
  const { ranked } = await readInHalves(
    { limit: body.limit, offset: 0 },
    async (stretch) => {
      const { build, reasons, matches } = await ask(gateway, request, matchAgents, { ...filters, ...stretch });
      const reasonTexts = reasons.map(matchReasonText);
      return {
        ranked: matches.map(({ agentId, changedPosition, matchScore, matchReasons }) => {
          return {
            agentId,
            changedPosition,
            build,
            matchScore,
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
    return agent === undefined ? [] : matchResultText(agent, one.matchScore, one.reasonTexts);
  });
  // Put together from texts, so there is nothing to be serialised.
  reply.type('application/json; charset=utf-8');
  return `[${results.join(',')}]`;
});
