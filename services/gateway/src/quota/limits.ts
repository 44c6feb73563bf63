export const quotaLimits = {
  /** How often counts are reported. A gateway that is killed loses those since its last report. */
  reportEveryMs: 5_000,
  reportTimeoutMs: 2_000,
  /** Counts of one report: of one organisation, day and kind each. */
  itemsPerReport: 1_000,
  /** Counts that a gateway holds at one time; an organisation has three. Beyond it requests wait for a report, then they are refused. */
  countsMax: 30_000,
  /** A lease that is not used for so long is given back, for other gateways to use. */
  leaseIdleMs: 5_000,
  /** How long a gateway refuses without asking whether something was given back or the limit was raised. */
  recheckMs: 1_000,
  /** How often one request asks for a lease that others may take before it. */
  attemptsMax: 4,
} as const;
