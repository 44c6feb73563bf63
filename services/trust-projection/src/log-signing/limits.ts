/** Limits of what is read of witnesses. */
export const witnessLimits = {
  witnessesMax: 16,
  /** How often what they publish is read, and how soon again where something was wrong. */
  readEveryMs: 60_000,
  afterFaultMs: 10_000,
  /** How long one may take to answer. */
  answerMs: 10_000,
  /** A checkpoint has a few hundred bytes, and a signature a hundred. */
  noteBytesMax: 64 * 1_024,
  /** By how much its clock may be ahead of this one. */
  clockAheadMs: 5 * 60_000,
  /** Of a fault that repeats words of a note. */
  faultCharactersMax: 300,
} as const;
