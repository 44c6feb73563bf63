/** Bounds on looking for the tokens of proofs. */
export const domainProofLimits = {
  /** One place: a name server's answer, or a page from the request to its last byte. */
  placeTimeoutMs: 5_000,
  /** One attempt at a name server, and how many. */
  dnsAttemptMs: 2_000,
  dnsAttemptsMax: 2,
  pageBytesMax: 64 * 1024,
  /** Addresses of a name that are tried, if the name servers are set. */
  addressesMax: 16,
  /** Proofs that are looked for at once, for one organisation and at one gateway, and those that wait for their turn. */
  looks: { ownerMax: 4, allMax: 32, ownerWaitingMax: 20, allWaitingMax: 200, waitMs: 20_000 },
  /** From one round of looking at due proofs to the next, and at most before the first: a random share of it is left out each time. */
  roundMs: 10 * 60_000,
  firstRoundMs: 2 * 60_000,
  proofsPerRoundMax: 50,
  proofsAtOnceMax: 4,
} as const;
