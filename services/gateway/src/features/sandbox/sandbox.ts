import {
  snakeCase,
  promoteAgent,
  promoteRoute,
  DomainError,
  getOwnerAgent,
  type MoveAgentResponse,
  type OwnerAgent,
  production,
  publishAgent,
  publishRoute,
  type Universe,
  withdrawAgent,
  withdrawRoute,
  limits,
  previewMatch as previewMethod,
  previewMatchRoute,
  previewToWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask, readInHalves } from '../../bus/ask.ts';
import { write } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint, type Asked } from '../../http/endpoint.ts';

const promote = endpoint(promoteRoute, ({ body, caller, actor, request }, gateway) => {
  const { sandboxAgentId, liveAgentId } = body;
  const input = { sandboxAgentId, liveAgentId, orgId: caller.organisation.orgId, actor };
  return write(gateway, request, promoteAgent, input, (promoted) => ({
    sandbox_agent_id: sandboxAgentId,
    real_agent_id: promoted.liveAgentId,
    fields_copied: promoted.fieldsCopied.map(snakeCase),
    promoted_at: promoted.promotedAt,
  }));
});

const publish = endpoint(publishRoute, (asked, gateway) => moveAgent(asked, gateway, publishAgent, 'production'));

const withdraw = endpoint(withdrawRoute, (asked, gateway) => moveAgent(asked, gateway, withdrawAgent, 'sandbox'));

/** Moves an agent of the calling organisation to the other universe. */
const moveAgent = async (
  { body, caller, actor, request }: Asked<typeof publishRoute>,
  gateway: Gateway,
  method: typeof publishAgent | typeof withdrawAgent,
  movedTo: Universe['kind'],
): Promise<MoveAgentResponse> => {
  const agentId = body.agent_id;
  const { orgId } = caller.organisation;
  const { moved_at } = await write(gateway, request, method, { agentId, orgId, actor }, ({ movedAt }) => ({
    moved_at: movedAt,
  }));
  const agent = await findAgent(gateway, request, agentId, orgId);
  return {
    agent_id: agentId,
    moved_to: movedTo,
    discoverable: !agent.isSandbox && agent.endpointUrl !== null,
    trust_score: agent.trustScore,
    transaction_count: agent.transactionCount,
    moved_at,
  };
};

/** The agent in either universe: it may have been moved again. @throws DomainError read_model_behind if it moved back and forth meanwhile. */
const findAgent = async (
  gateway: Gateway,
  request: FastifyRequest,
  agentId: string,
  orgId: string,
): Promise<OwnerAgent> => {
  for (const universe of [production, { kind: 'sandbox', orgId } as const, production]) {
    const { agent } = await ask(gateway, request, getOwnerAgent, { agentId, universe });
    if (agent !== null) return agent;
  }
  throw new DomainError(
    'read_model_behind',
    'the move is durable and stands, but the agent was moved on meanwhile: do not repeat it, read again in a moment',
  );
};

const previewMatch = endpoint(previewMatchRoute, async ({ body, caller, request }, gateway) => {
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
  // The only record of a preview, since it causes no event.
  gateway.logger.info(
    { request_id: request.id, org_id: orgId, agent_id: body.sandbox_agent_id },
    'match of a draft previewed',
  );
  return previewToWire(body.sandbox_agent_id, preview, gateway.baseUrl);
});

export const sandboxEndpoints: readonly Endpoint[] = [promote, publish, withdraw, previewMatch];
