import { callWaitsMs, getFallbackAgent } from '@agent-trust/contracts';
import type { Call } from './call.ts';

/** The best other agent to try. A suggestion is a courtesy: when it cannot be had in time the answer goes without it. */
export async function findFallback({ deps, input, context }: Call): Promise<string | null> {
  try {
    const query = { agentId: input.agentId, universe: input.caller.universe };
    const options = { timeoutMs: callWaitsMs.fallbackLookup, correlationId: context.correlationId };
    return (await deps.rpc.request(getFallbackAgent, query, options)).agentId;
  } catch (error) {
    deps.logger.warn({ err: error, correlation_id: context.correlationId }, 'no fallback agent could be looked up');
    return null;
  }
}
