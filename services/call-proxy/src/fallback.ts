import { callWaitsMs, getFallbackAgent } from '@agent-trust/contracts';
import { createBoundedMap } from '@agent-trust/limits';
import type { Call, FallbackCache } from './call.ts';
import { callProxyLimits } from './limits.ts';

/** The best other agent to try. Best effort: null if the lookup fails or takes too long. */
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

/** Fallbacks for agents that are not tried now; each is looked up once for a while. */
export function createFallbackCache(): FallbackCache {
  const cache = createBoundedMap<string, Promise<string | null>>({
    countMax: callProxyLimits.fallbacksKeptMax,
    lifetimeMs: callProxyLimits.fallbackKeptMs,
  });
  return {
    fallbackOf: (call) => {
      const { agentId, caller } = call.input;
      const key = JSON.stringify([agentId, caller.universe]);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const found = findFallback(call);
      cache.set(key, found);
      return found;
    },
  };
}
