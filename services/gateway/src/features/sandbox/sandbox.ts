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
import { command, ask, readInHalves } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint, type Asked } from '../../http/endpoint.ts';

export const promote: Endpoint = endpoint(promoteRoute, async ({ body, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { sandboxAgentId, liveAgentId } = body;
  const { fieldsCopied, promotedAt, position, ...promoted } = await command(gateway, request, promoteAgent, {
    sandboxAgentId,
    liveAgentId,
    orgId,
    actor,
  });
  await untilReadable(gateway, request, position);
  return {
    sandbox_agent_id: sandboxAgentId,
    real_agent_id: promoted.liveAgentId,
    fields_copied: fieldsCopied.map(snakeCase),
    promoted_at: promotedAt,
  };
});

const publish = endpoint(publishRoute, (asked, gateway) => moveAgent(asked, gateway, publishAgent, 'production'));

const withdraw = endpoint(withdrawRoute, (asked, gateway) => moveAgent(asked, gateway, withdrawAgent, 'sandbox'));

/** Moves an agent of the calling organisation to the other universe, and answers how it stands there. */
const moveAgent = async (
  { body, caller, actor, request }: Asked<typeof publishRoute>,
  gateway: Gateway,
  method: typeof publishAgent | typeof withdrawAgent,
  movedTo: Universe['kind'],
): Promise<MoveAgentResponse> => {
  const agentId = body.agent_id;
  const { orgId } = caller.organisation;
  const { movedAt, position } = await command(gateway, request, method, { agentId, orgId, actor });
  await untilReadable(gateway, request, position);
  const agent = await findAgent(gateway, request, agentId, orgId);
  return {
    agent_id: agentId,
    moved_to: movedTo,
    discoverable: !agent.isSandbox && agent.endpointUrl !== null,
    trust_score: agent.trustScore,
    transaction_count: agent.transactionCount,
    moved_at: movedAt,
  };
};

/**
 * Wherever it is: another move may have come since, and what the agent has earned is the same on both sides.
 *
 * @throws DomainError read_model_behind when it was moved back and forth between the questions.
 */
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

export const moveEndpoints: readonly Endpoint[] = [publish, withdraw];

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
