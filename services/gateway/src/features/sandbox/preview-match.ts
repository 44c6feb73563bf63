import { limits, previewMatch as previewMethod, previewMatchRoute, previewToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const previewMatch: Endpoint = endpoint(previewMatchRoute, async ({ body, caller, request }, gateway) => {
  const { orgId } = caller.organisation;
  const question = {
    orgId,
    sandboxAgentId: body.sandbox_agent_id,
    requiredCapabilities: body.required_capabilities ?? null,
    settlementRail: body.settlement_rail ?? null,
    resultsMax: limits.previewResultsMax,
  };
  const preview = await readInHalves(
    { limit: limits.previewResultsMax, offset: 0 },
    (batch) => ask(gateway, request, previewMethod, { ...question, ...batch }),
    (first, second) => ({ ...first, results: [...first.results, ...second.results] }),
  );
  // The one trace of a preview: nothing of it is an event.
  gateway.logger.info(
    { request_id: request.id, org_id: orgId, agent_id: body.sandbox_agent_id },
    'match of a draft previewed',
  );
  return previewToWire(body.sandbox_agent_id, preview, gateway.baseUrl);
});
