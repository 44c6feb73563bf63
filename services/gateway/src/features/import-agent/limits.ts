import { limits } from '@agent-trust/contracts';

export const importLimits = {
  /** From the request to the last byte of a card. Two paths are tried, and one more if a private target uses http. */
  fetchTimeoutMs: 5_000,
  /** Lookup of a domain, and of the host of its card's endpoint. */
  lookupMs: 5_000,
  cardBytesMax: 256 * 1024,
  /** Concurrent imports, at one gateway and of one client address, and those that wait for their turn: as many as an address may send. */
  imports: {
    ownerMax: 4,
    allMax: 32,
    ownerWaitingMax: limits.importRequestsPerMinute,
    allWaitingMax: 256,
    waitMs: 10_000,
  },
  /** Entries of a card's lists that are read. */
  skillsMax: 200,
  tagsMax: 5,
  interfacesMax: 20,
  /** Endpoints of a card that are checked until one is allowed. */
  endpointsCheckedMax: 3,
  /** Characters of a card's text in a note, and how many items it names. */
  quotedCharsMax: 60,
  namedMax: 10,
} as const;
