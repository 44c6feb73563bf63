import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';
import { targetLimitsOf } from './target-guard/limits.ts';
import { createTargetGuard, type TargetGuard } from './target-guard/target-guard.ts';

export type GuardedClientOptions = {
  /** Private targets that may be contacted, as in `parseOutboundAllow`; empty: none. */
  allow: string;
  /** Requests that the instance carries at one time. */
  requestsMax: number;
  agentRequestsPerSecondMax: number;
  /** Told when an agent is given up for a while, and when it has answered again. */
  logger: { warn(fields: { agent_id: string }, message: string): void };
};

/**
 * The outbound client of a proxy and the guard of its targets, made for each other: a place is a connection, so whoever has a place at
 * an origin waits for no connection, and nothing that the guard lets through meets a limit of the client's own.
 *
 * @throws {RangeError} when `allow` is malformed.
 */
export function createGuardedClient(options: GuardedClientOptions): { safeFetch: SafeFetch; guard: TargetGuard } {
  const { allow, requestsMax, agentRequestsPerSecondMax, logger } = options;
  const limits = targetLimitsOf(requestsMax, agentRequestsPerSecondMax);
  return {
    safeFetch: createSafeFetch({ allow, requestsMax, connectionsPerOriginMax: limits.originRequestsMax }),
    guard: createTargetGuard({
      limits,
      onChange: (agentId, change) => logger.warn({ agent_id: agentId }, `the circuit of an agent has ${change}`),
    }),
  };
}
