import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';
import { targetLimitsOf } from './target-guard/limits.ts';
import { createTargetGuard, type TargetGuard } from './target-guard/target-guard.ts';

export type GuardedClientOptions = {
  /** Private targets that may be contacted, as in `parseOutboundAllow`; empty: none. */
  allow: string;
  requestsMax: number;
  agentRequestsPerSecondMax: number;
  logger: { warn(fields: { agent_id: string }, message: string): void };
  onCircuit?: (change: 'opened' | 'closed') => void;
};

/**
 * The outbound client of a proxy and the guard of its targets, with matching limits: a request with a permit never waits for a connection, and never
 * meets a limit of the client. Throws RangeError for a malformed `allow`.
 */
export function createGuardedClient(options: GuardedClientOptions): { safeFetch: SafeFetch; guard: TargetGuard } {
  const { allow, requestsMax, agentRequestsPerSecondMax, logger, onCircuit } = options;
  const limits = targetLimitsOf(requestsMax, agentRequestsPerSecondMax);
  return {
    safeFetch: createSafeFetch({ allow, requestsMax, connectionsPerOriginMax: limits.originRequestsMax }),
    guard: createTargetGuard({
      limits,
      onChange: (agentId, change) => {
        onCircuit?.(change);
        logger.warn({ agent_id: agentId }, `the circuit of an agent has ${change}`);
      },
    }),
  };
}
