/** Bounds on every outbound request. Those of `timeouts` and `responseBodyBytesMax` can be set for one request. */
export const outboundLimits = {
  timeouts: {
    /** Name resolution, TCP and TLS together; for each new connection. */
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
  /** Requests to one origin under way or waiting for a connection. */
  requestsPerOriginMax: 512,
  /** Origins whose connections are kept; beyond it the one idle for longest is given up. */
  originsMax: 1_024,
  /**
   * An idle connection is kept this long. Short, because a request that meets a server closing its end is lost, and
   * only the sender of the request can know whether it may be repeated.
   */
  idleConnectionMs: 2_000,
  /** The same when the server names a longer time itself. */
  idleConnectionMsMax: 10_000,
  /**
   * Names resolved at once. Each takes a thread of Node's pool of four until the resolver answers, so slow name servers
   * must not be able to take them all.
   */
  lookupsAtOnceMax: 3,
  lookupsWaitingMax: 512,
  /** More addresses for one name than this are no service but an attack. */
  addressesPerNameMax: 64,
} as const;

export type Timeouts = { -readonly [Name in keyof typeof outboundLimits.timeouts]: number };
/** Time limits that can be set for one request; connections are shared, so theirs cannot. */
export type RequestTimeouts = Partial<Omit<Timeouts, 'connectMs'>>;
