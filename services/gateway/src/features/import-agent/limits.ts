/** Bounds on reading the agent cards of other domains. */
export const importLimits = {
  /** From the request to the last byte of a card. Two places are tried, and one more where a private target speaks http. */
  fetchTimeoutMs: 5_000,
  /** Looking up a domain, and the host of the endpoint that its card names. */
  lookupMs: 5_000,
  cardBytesMax: 256 * 1024,
  /** Imports under way at one time, at one gateway, and those of one client address. */
  atOnceMax: 32,
  atOncePerAddressMax: 4,
  /** Entries of a card's lists that are looked at. */
  skillsMax: 200,
  tagsMax: 5,
  interfacesMax: 20,
  /** Endpoints of a card whose addresses are checked until one may be used. */
  endpointsCheckedMax: 3,
  /** Characters of a card's words repeated in a note, and how many of its things are named there. */
  quotedCharsMax: 60,
  namedMax: 10,
} as const;
