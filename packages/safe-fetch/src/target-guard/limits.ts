/** Bounds of the target guard. Those of `TargetLimits` can be set per guard. */
export const targetGuardLimits = {
  /** Failures in a row, with no answer between them, that open a circuit. */
  failuresToOpen: 5,
  /**
   * A request's own content can make an agent fall silent. So that no single caller closes an agent to all others, silence opens a
   * circuit only when it met this many callers. Nobody's content keeps a server from taking connections: there one is enough.
   */
  silentToCallersMin: 2,
  /** From an opening to the first probe; each further probe doubles it up to the longest. */
  probePauseMs: { first: 1_000, longest: 30_000 },
  /** Agents and origins that are remembered, each; beyond it those unused for longest are forgotten. */
  targetsMax: 10_000,
  /** What a refused caller is told to wait where no better time is known. */
  busyRetryAfterMs: 1_000,
} as const;

export type TargetLimits = {
  /** Requests under way at one time, to all targets. */
  requestsMax: number;
  /** Requests of one agent under way at one time. */
  agentRequestsMax: number;
  /** Requests of one origin under way at one time, however many agents share it. */
  originRequestsMax: number;
  /** Requests that one agent gets in a second; as many may come at once after a rest. */
  agentRequestsPerSecondMax: number;
};

/**
 * The limits that follow from how much one proxy carries at one time: an agent gets a quarter of it and an origin half, so that no
 * slow target leaves nothing to the others.
 */
export function targetLimitsOf(concurrentMax: number, agentRequestsPerSecondMax: number): TargetLimits {
  return {
    requestsMax: concurrentMax,
    agentRequestsMax: Math.ceil(concurrentMax / 4),
    originRequestsMax: Math.ceil(concurrentMax / 2),
    agentRequestsPerSecondMax,
  };
}

/** One caller gets half of an agent, so that its slow streams leave the agent to others. */
export function callerRequestsMax({ agentRequestsMax }: TargetLimits): number {
  return Math.ceil(agentRequestsMax / 2);
}

/** All anonymous callers together have no more than one known caller, since anybody can pose as many. One of them has half of that. */
export const anonymousRequestsMax = callerRequestsMax;
export function anonymousRequestsMaxOfOne(limits: TargetLimits): number {
  return Math.ceil(anonymousRequestsMax(limits) / 2);
}
