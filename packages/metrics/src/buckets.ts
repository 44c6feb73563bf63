/** Of requests. Those of the semantic conventions, and two below: an answer from memory takes less than a millisecond. */
export const requestSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;

/** Of steps within the registry. */
export const stepSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Of agents, which may take as long as CALL_TIMEOUT_MS. */
export const agentSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

/** Of pauses of a process. */
export const pauseSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const;

export const counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const;
