/** Limits of every outbound request. Those of `timeouts` and `responseBodyBytesMax` can be set per request. */
export const outboundLimits = {
  timeouts: {
    /** Resolving a name, including the wait for other names; for each new connection. */
    lookupMs: 5_000,
    /** TCP and TLS together, after the lookup; for each new connection. */
    connectMs: 5_000,
    /** From the request's last byte to the answer's headers. */
    headersMs: 30_000,
    /** From the call to the answer's headers, including the wait for a connection. */
    headMs: 60_000,
    /** Between two chunks of the answer's body while it is being read. */
    bodyIdleMs: 30_000,
    /** From the call to the last byte of the body, including the wait for a connection. */
    totalMs: 60_000,
  },
  responseBodyBytesMax: 10 * 1024 * 1024,
  responseHeaderBytesMax: 32 * 1024,
  requestHeaderBytesMax: 64 * 1024,
  requestHeadersMax: 100,
  urlCharactersMax: 8_192,
  connectionsPerOriginMax: 64,
  /** Requests to one origin for each of its connections: under way, or waiting for one. */
  requestsPerConnectionMax: 8,
  /** Origins whose connections are kept; more if an instance carries more requests. Beyond it, the origin idle for longest is dropped. */
  originsMax: 1_024,
  /** An idle connection is kept this long. Short, because a request is lost if the server closes the connection at the same time. */
  idleConnectionMs: 2_000,
  /** The same if the server announces a longer time. */
  idleConnectionMsMax: 10_000,
  /** Names that wait to be resolved (at once: see `lookupsAtOnce`), a quarter of them of one domain; more if an instance carries more requests. */
  lookupsWaitingMax: 512,
  /** A longer lookup is late: the kept answer is used, if there is one, and the domain gets fewer places. */
  promptLookupMs: 1_000,
  /** How long a kept answer may be used when a name cannot be resolved again. */
  answersKeptMs: 30 * 60_000,
  namesKeptMax: 10_000,
  /** An answer with more addresses is used, but not kept. */
  addressesKeptMax: 16,
  /** How long after a late lookup the names of its domain share half of the places with others like it. */
  lateDomainMs: 10 * 60_000,
  lateDomainsMax: 10_000,
  /** More addresses for one name are an attack, not a service. */
  addressesPerNameMax: 64,
} as const;

export type Timeouts = { -readonly [Name in keyof typeof outboundLimits.timeouts]: number };
/** Timeouts that can be set per request; connections are shared, so theirs cannot. */
export type RequestTimeouts = Partial<Omit<Timeouts, 'lookupMs' | 'connectMs'>>;
