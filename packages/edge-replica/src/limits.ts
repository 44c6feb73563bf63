/** Times and bounds of the protocol. Every process of a registry must use the same times. */
export const replicaLimits = {
  /** L: how long a member may answer from memory after it sent the request that the leader answered. */
  leaseMs: 600,
  /** M: how long a leader leads after it sent the check that found its lock still held. */
  leadershipMs: 600,
  /**
   * Who waits for another's lease to end waits this much longer by its own clock. It covers clocks that run 5 % apart in opposite
   * directions and a jump of the wall clock that is too small to be noticed.
   */
  marginFactor: 1.25,
  renewEveryMs: 200,
  checkLockEveryMs: 200,
  heartbeatEveryMs: 100,
  /** A member that has heard no heartbeat of its scope for this long gives up its membership. */
  silenceMs: 600,
  /** The wall clock may move this much against the monotonic one within a lease; more means that the machine slept. */
  wallJumpMsMax: 50,
  /** How often a member looks at its clock: for renewals, and to join again. */
  tickMs: 25,
  /** A join without an answer is given up after this time, and a new one is sent. */
  joinTimeoutMs: 300,
  /** Pause before a member joins again. */
  rejoinPauseMs: 20,
  /** The same after a membership in which it heard no heartbeat at all: a commit may wait for each membership. */
  rejoinUnheardPauseMs: 10_000,
  /** Messages of the feed that a member keeps until its join is answered. */
  bufferedMessagesMax: 1_024,
  /** Keys of one message of the feed. */
  keysPerMessageMax: 1_000,
  /** A batch with more changed keys than this changes everything. */
  keysPerChangeMax: 10_000,
  /** Changed keys that a member remembers, the last ones; an answer that was asked for before the first of them is not kept. */
  recentKeysMax: 20_000,
  /** How long a member covers frequent changes after an answer that depends on one was last asked for. */
  frequentUnusedMs: 10_000,
  /** Questions on their way that one member shares among its readers; further readers ask themselves. */
  sharedQuestionsMax: 10_000,
  /** Members of one leader. */
  membersMax: 1_000,
  /** Writers of one process that wait for the watermark. */
  waitingWritersMax: 10_000,
} as const;

/** How long a leader keeps a member after its last request, and renews the lease of one that has not applied what was announced. */
export const forgetAfterMs = replicaLimits.leaseMs * replicaLimits.marginFactor;
/** How long after taking the lock a leader must wait until its predecessor leads no more. */
export const predecessorLeadsMs = replicaLimits.leadershipMs * replicaLimits.marginFactor;
/** And until no lease of its predecessor is left, which may grant leases until it leads no more. */
export const predecessorLeasesMs = (replicaLimits.leadershipMs + replicaLimits.leaseMs) * replicaLimits.marginFactor;
