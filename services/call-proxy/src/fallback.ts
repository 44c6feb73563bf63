import { callWaitsMs, getFallbackAgent } from '@agent-trust/contracts';
import { createBoundedMap } from '@agent-trust/limits';
import type { Call, FallbackCache } from './call.ts';
import { callProxyLimits } from './limits.ts';

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

/** Suggestions for the callers of agents that are not tried now, each looked up once for a while. */
export function createFallbackCache(now?: () => number): FallbackCache {
  const cache = createBoundedMap<string, Promise<string | null>>({
    countMax: callProxyLimits.fallbacksKeptMax,
    lifetimeMs: callProxyLimits.fallbackKeptMs,
    ...(now === undefined ? {} : { now }),
  });
  return {
    fallbackOf: (call) => {
      const { agentId, caller } = call.input;
      // What is suggested may differ by universe.
      const key = JSON.stringify([agentId, caller.universe]);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const found = findFallback(call);
      cache.set(key, found);
      return found;
    },
  };
}
