import { limits } from '@agent-trust/contracts';

const mebibyte = 1024 * 1024;

/** Bounds of the HTTP edge itself. Requests are bounded in `limits` of contracts. */
export const edgeLimits = {
  /** Request line and headers together; a claim token, a payment and a path of 128 code points all fit. */
  headerBytesMax: 32 * 1024,
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to its last; a call body of 10 MiB over a slow line fits. */
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  connectionsMax: 10_000,
  /**
   * Who listens for the end of one answer, whatever its length: a stream seven times by pipeline, permits, a long body, the access log, the
   * refusal of what follows. Node warns of more than ten.
   */
  answerListenersMax: 20,
  /**
   * What is still read of long bodies when they are answered, mostly refused, so that clients can read their answers: of one body, how fast of
   * all, and of how many at one time; then the connection that was answered first ends.
   */
  rests: { bytesMax: 64 * mebibyte, bytesPerSecond: 16 * mebibyte, bodiesMax: 64 },
  /**
   * Bytes of long answers of agents that are held at one time, until their clients have read them, with the copies that are made on the way from
   * bytes to JSON. Others wait for room at their proxies.
   */
  answerBytes: {
    what: 'bytes of long answers',
    perAgentMax: 30 * mebibyte,
    perOrgMax: 30 * mebibyte,
    withoutOrgMax: 30 * mebibyte,
    // Calls need a key or a signature.
    perAddressMax: 0,
    withoutKeyMax: 0,
    allMax: 90 * mebibyte,
  },
  longAnswers: { copies: 3, waitMs: 20_000, readMs: 60_000 },
  /** Concurrent calls; each may hold a request and an answer of 10 MiB. One agent has CALLS_PER_CALLER_MAX. */
  calls: {
    what: 'calls',
    /** Like the next, less than one call-proxy carries. */
    perOrgMax: 192,
    withoutOrgMax: 192,
    /** Of agents without an organisation: those of one client address leave half to others. */
    withoutOrgPerAddressMax: 96,
    // Calls need a key or a signature.
    perAddressMax: 0,
    withoutKeyMax: 0,
    allMax: 512,
  },
  /** After the grace, a stream of an agent without an organisation that is slower gives way to a call that finds no place. */
  slowStreams: { graceMs: 30_000, bytesPerSecondMin: 1_024 },
  /** A body up to this does not count towards the bytes of bodies, and is read before its caller is known; a longer one counts first. */
  shortBodyBytesMax: 64 * 1024,
  /** Bytes of long bodies that are held at one time: read, and until their requests are answered. One of 10 MiB fits everywhere. */
  bodyBytes: {
    what: 'bytes of long bodies',
    perAgentMax: 20 * mebibyte,
    perOrgMax: 40 * mebibyte,
    withoutOrgMax: 30 * mebibyte,
    // Whoever is not identified yet: signed requests, wrong keys, and all requests to other routes than calls.
    perAddressMax: 20 * mebibyte,
    withoutKeyMax: 30 * mebibyte,
    allMax: 100 * mebibyte,
  },
  /** How long a long body waits, unread, for room; beyond it 503. */
  bodyWaitMs: 1_000,
  /** Bodies, or answers, that wait for room at one time. */
  waitingForRoomMax: 512,
  /**
   * How fast the long bodies of agents without an organisation are read, all together, and those of callers who are not identified yet: whoever
   * registers many agents must not get all processor time for them. One address has half of it at most; one of its bodies that exceeds the
   * bounds of JSON counts there as the longest: it is cheap to send, and takes as long to refuse as many others to read.
   */
  longBodyPace: { bytesPerSecond: 32 * mebibyte, addressShareMax: 0.5 },
  /** Longer bodies of callers who are not identified yet (signed requests, no valid key): of one address and of all. */
  longBodies: { ownerMax: 8, allMax: 64 },
  /** Concurrent listings of an organisation's agents; each holds two batches at most. Others wait: clients send all their requests at once. */
  orgListings: { ownerMax: 4, allMax: 64, ownerWaitingMax: 128, allWaitingMax: 1_024, waitMs: 10_000 },
  /** Agents of one batch; fewer if they exceed a message on the bus. */
  orgAgentsBatchMax: 200,
  /** Trust objects that are not held: of one question, waiting for one, and questions at once, several because one instance may be stuck. */
  verdictLookups: { keysMax: limits.matchPageMax, waitingMax: 10_000, roundTripsMax: 8 },
  /** How long the client of a listing may read nothing. */
  listingStallMs: 30_000,
  /** How long a listing may take in all. */
  listingTotalMs: 300_000,
  /** Cached texts of agents for answers of /match. */
  shownAgentsCharsMax: 32 * 1024 * 1024,
  /** How long a browser may cache a preflight. */
  preflightSecondsMax: 600,
  validationItemsMax: 50,
  /** Characters of a client's text that an error repeats. */
  quotedCharsMax: 200,

  queryTimeoutMs: 5_000,
  commandTimeoutMs: 10_000,
  healthTimeoutMs: 1_500,
  /** How long answers of instances to a roll call are collected, and how long the read models' side of GET /ops/status may take. */
  rollCallMs: 750,
  operationsTimeoutMs: 2_500,
  /** One header of an agent in a streamed answer; Node's own client takes 16 KiB of headers in all. */
  streamedHeaderCharsMax: 8 * 1024,
  /** Silence of an agent during a stream. */
  callIdleTimeoutMs: 120_000,
  /** Beyond the wait for the read model. */
  readModelMarginMs: 1_000,
  retryAfterSeconds: 1,

  rateLimitTimeoutMs: 2_000,
  rateLimitAttemptsMax: 12,
  rateLimitBucketBytesMax: 16 * 1024 * 1024,
  /** Addresses whose anonymous registrations one gateway counts; beyond it the oldest is forgotten. */
  registeringAddressesMax: 16_384,

  /** Concurrent payments; each passes through windows, none is held whole. */
  payments: {
    what: 'payments',
    /** Half of what one agent gets from a pay-proxy, so that a slow sender leaves some. */
    perAgentMax: 32,
    /** Half of what all payers without a key get of an agent from a pay-proxy together. */
    perAddressMax: 16,
    /** The next two leave as much. */
    perOrgMax: 192,
    withoutOrgMax: 160,
    withoutKeyMax: 160,
    allMax: 512,
  },
  /** A payment body with a declared length up to this is read before the payment counts, as on other routes. */
  shortPaymentBytesMax: 64 * 1024,
  /** Other bodies of payments, passed on as they come: slow senders must hold few of the payments of each kind. */
  uploads: {
    what: 'long bodies',
    perAgentMax: 8,
    perAddressMax: 8,
    perOrgMax: 48,
    withoutOrgMax: 40,
    withoutKeyMax: 40,
    allMax: 128,
  },
  paymentHeaderCharsMax: 16 * 1024,
  sessionIdCharsMax: 1024,
  /** How long a gateway that stops still takes requests on the idle connections that clients have, before it closes them. */
  stopIdleMs: 500,
  stopPollMs: 50,
} as const;
