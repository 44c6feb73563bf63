/** What a command ends with, for scripts. Released numbers never change their meaning. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unauthorised: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  invalid: 7,
  rateLimited: 8,
  network: 9,
  registryFailed: 10,
  agentFailed: 11,
  confirmationRequired: 12,
  scoreTooLow: 20,
  withLimits: 21,
  abort: 22,
  block: 23,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One line for each code, for help and README. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.unexpected, 'something unexpected: a fault of this program, or an answer that nobody understands'],
  [exitCodes.usage, 'the command line, the config file, a key file or another input here is wrong; nothing was sent'],
  [exitCodes.unauthorised, 'a credential is missing or not accepted (401)'],
  [exitCodes.forbidden, 'not allowed with this credential, or by a rule (403)'],
  [exitCodes.notFound, 'no such agent (404)'],
  [exitCodes.conflict, 'taken, already done, or nothing left to do (409)'],
  [exitCodes.invalid, 'the registry found a fault in the request (400, 413, 422)'],
  [exitCodes.rateLimited, 'too many requests: try again later (429)'],
  [exitCodes.network, 'the registry could not be reached, or did not answer in time'],
  [exitCodes.registryFailed, 'the registry failed (500, 501, 503)'],
  [
    exitCodes.agentFailed,
    'the agent, or the domain of an import, could not be reached (502); with --fail: it answered another status than 2xx',
  ],
  [exitCodes.confirmationRequired, 'nothing was written: a capability has to be confirmed first (202)'],
  [exitCodes.scoreTooLow, 'verify --min-score: the trust score is lower'],
  [exitCodes.withLimits, 'verify --gate: proceed with limits'],
  [exitCodes.abort, 'verify --gate: abort'],
  [exitCodes.block, 'verify --gate: block, nobody registered this agent'],
  [exitCodes.interrupted, 'stopped by Ctrl-C'],
];

/** The exit code for an HTTP status that refuses. */
export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 401) return exitCodes.unauthorised;
  if (status === 402) return exitCodes.agentFailed;
  if (status === 403) return exitCodes.forbidden;
  if (status === 404) return exitCodes.notFound;
  if (status === 409) return exitCodes.conflict;
  if (status === 429) return exitCodes.rateLimited;
  if (status === 502) return exitCodes.agentFailed;
  if (status >= 400 && status < 500) return exitCodes.invalid;
  return status >= 500 ? exitCodes.registryFailed : exitCodes.unexpected;
}
