/** Bounds on tokens of the issuer, and on what they make the gateway ask it. */
export const oidcLimits = {
  tokenCharsMax: 8_192,
  /** How far the clocks of the issuer and the gateway may differ. */
  skewSeconds: 30,
  /** A token is refused this long after its `iat`, however late its `exp` is. */
  tokenAgeSecondsMax: 24 * 3_600,
  /** How long the issuer's keys are used without asking for them again. A key that it withdraws works no longer than this while it answers … */
  keysFreshMs: 10 * 60_000,
  /** … and this long while it does not answer. */
  keysKeptMs: 3_600_000,
  /** The issuer is asked at most this often, whatever keys tokens name. */
  askEveryMs: 30_000,
  /** Of both answers: its configuration and its keys. */
  askTimeoutMs: 3_000,
  answerBytesMax: 256 * 1024,
  keysMax: 64,
  /** Requests that wait for an answer of the issuer. */
  waitingMax: 64,
} as const;
