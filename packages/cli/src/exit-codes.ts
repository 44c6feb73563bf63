/** Exit codes for scripts, each with its line in help and README. Released numbers never change their meaning. */
const codes = {
  ok: [0, 'done'],
  unexpected: [1, 'unexpected: a bug in this program, or an answer that it cannot read'],
  usage: [2, 'the command line, the config file, a key file or another local input is wrong; nothing was sent'],
  unauthorised: [3, 'a credential is missing or not accepted (401)'],
  forbidden: [4, 'not allowed with this credential, or by a rule (403)'],
  notFound: [5, 'no such agent (404)'],
  conflict: [6, 'taken, already done, or nothing left to do (409)'],
  invalid: [7, 'the registry rejected the request as invalid (400, 413, 422)'],
  rateLimited: [8, 'too many requests: try again later (429)'],
  network: [9, 'the registry could not be reached, or did not answer in time'],
  registryFailed: [10, 'the registry failed (500, 501, 503)'],
  agentFailed: [
    11,
    'the agent, or the domain of an import, could not be reached (502); with --fail: it answered another status than 2xx',
  ],
  confirmationRequired: [12, 'nothing was written: a capability has to be confirmed first (202)'],
  scoreTooLow: [20, 'verify --min-score: the trust score is lower'],
  withLimits: [21, 'verify --gate: proceed with limits'],
  abort: [22, 'verify --gate: abort'],
  block: [23, 'verify --gate: block, the agent is not registered, suspended or retired'],
  notVerified: [24, 'a signature or a proof of the log does not hold: nothing of it may be used'],
  rowsDiffer: [25, 'ops replay --watch: rows differ, and nothing was switched'],
  tooFarBehind: [26, 'ops lag: the read models are further behind than allowed'],
  gateMissed: [27, 'ops policy simulate: a gate does not hold, or a control meets its gate'],
  interrupted: [130, 'stopped by Ctrl-C'],
} as const;

type Codes = typeof codes;
export type ExitCode = Codes[keyof Codes][0];

export const exitCodes: { readonly [Name in keyof Codes]: Codes[Name][0] } = Object.fromEntries(
  Object.entries(codes).map(([name, [code]]) => [name, code]),
) as { [Name in keyof Codes]: Codes[Name][0] };

export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = Object.values(codes);

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
