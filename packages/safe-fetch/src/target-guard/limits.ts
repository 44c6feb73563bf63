/** Limits of the target guard. Those of `TargetLimits` can be set per guard. */
export const targetGuardLimits = {
  /** Failures in a row, without an answer between them, that open a circuit. */
  failuresToOpen: 5,
  /**
   * A request's own content can make an agent fall silent. So that no single caller closes an agent to all others, silence opens a circuit only after
   * this many callers met it. No content can keep a server from accepting connections: there one caller is enough.
   */
  silentToCallersMin: 2,
  /** From the opening to the first probe; each further probe doubles it up to the longest. */
  probePauseMs: { first: 1_000, longest: 30_000 },
  /** Agents, and origins, that are remembered; beyond it the least recently used are forgotten. */
  targetsMax: 10_000,
  /** `Retry-After` of a refusal if no better time is known. */
  busyRetryAfterMs: 1_000,
} as const;

export type TargetLimits = {
  requestsMax: number;
  agentRequestsMax: number;
  /** Concurrent requests to one origin, however many agents share it. */
  originRequestsMax: number;
  /** Requests that one agent gets per second; as many may come at once after a pause. */
  agentRequestsPerSecondMax: number;
};

/** The limits of one proxy: an agent gets a quarter of its requests and an origin half, so that a slow target leaves room for others. */
export function targetLimitsOf(concurrentMax: number, agentRequestsPerSecondMax: number): TargetLimits {
  return {
    requestsMax: concurrentMax,
    agentRequestsMax: Math.ceil(concurrentMax / 4),
    originRequestsMax: Math.ceil(concurrentMax / 2),
    agentRequestsPerSecondMax,
  };
}
