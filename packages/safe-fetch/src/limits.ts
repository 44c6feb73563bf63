/** Bounds on every outbound request. Those of `timeouts` and `responseBodyBytesMax` can be set for one request. */
export const outboundLimits = {
  timeouts: {
    /** Resolving a name, waiting for other names included; for each new connection. */
    lookupMs: 5_000,
    /** TCP and TLS together, once there is an address; for each new connection. */
    connectMs: 5_000,
    /** From the request's last byte to the answer's headers. */
    headersMs: 30_000,
    /** From the call to the answer's headers, waiting for a connection and whatever comes before the headers included. */
    headMs: 60_000,
    /** Between two pieces of the answer's body while somebody wants to read it. */
    bodyIdleMs: 30_000,
    /** From the call to the last byte of the body, waiting for a connection included. */
    totalMs: 60_000,
  },
  responseBodyBytesMax: 10 * 1024 * 1024,
  responseHeaderBytesMax: 32 * 1024,
  requestHeaderBytesMax: 64 * 1024,
  requestHeadersMax: 100,
  urlCharactersMax: 8_192,
  connectionsPerOriginMax: 64,
  /** Requests to one origin, for each connection that it may have: under way, or waiting for one. */
  requestsPerConnectionMax: 8,
  /**
   * Origins whose connections are kept, more where an instance carries more requests; beyond it the one idle for longest is
   * given up.
   */
  originsMax: 1_024,
  /**
   * An idle connection is kept this long. Short, because a request that meets a server closing its end is lost, and
   * only the sender of the request can know whether it may be repeated.
   */
  idleConnectionMs: 2_000,
  /** The same when the server names a longer time itself. */
  idleConnectionMsMax: 10_000,
  /**
   * Names that wait to be resolved, a quarter of them of one domain; more where an instance carries more requests. How many
   * are resolved at once, `lookupsAtOnce` says.
   */
  lookupsWaitingMax: 512,
  /** A lookup that takes longer is late: what was kept of the name is used, if anything was, and its domain gets fewer places. */
  promptLookupMs: 1_000,
  /** What a name answered may be used for so long when it cannot be asked for anew. */
  answersKeptMs: 30 * 60_000,
  namesKeptMax: 10_000,
  /** An answer of more addresses is used, and not kept. */
  addressesKeptMax: 16,
  /** For so long after a late lookup the names of its domain are among those that share a half of the places. */
  lateDomainMs: 10 * 60_000,
  lateDomainsMax: 10_000,
  /** More addresses for one name than this are no service but an attack. */
  addressesPerNameMax: 64,
} as const;

export type Timeouts = { -readonly [Name in keyof typeof outboundLimits.timeouts]: number };
/** Time limits that can be set for one request; connections are shared, so theirs cannot. */
export type RequestTimeouts = Partial<Omit<Timeouts, 'lookupMs' | 'connectMs'>>;
