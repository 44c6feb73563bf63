import { createCheckedConnector } from './checked-connector.ts';
import { outboundLimits, type RequestTimeouts, type Timeouts } from './limits.ts';
import type { StartListener } from './notify-start.ts';
import { createOriginPools, type OriginPools } from './origin-pools.ts';
import { parseOutboundAllow } from './outbound-allow.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { startRequestLife } from './request-life.ts';
import { readResponseHeaders, type RequestHeaders, type ResponseHeaders, toSentHeaders } from './headers.ts';
import { createResolver, type ResolveName, type Resolver } from './resolve-name.ts';
import { type ResponseBody, wrapBody } from './response-body.ts';
import { parseTargetUrl } from './target-url.ts';

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export type RequestBody = Uint8Array | AsyncIterable<Uint8Array> | null;

export type OutboundRequest = {
  method?: OutboundMethod;
  headers?: RequestHeaders;
  body?: RequestBody;
  /** Cancels the request, also while its body is being read. */
  signal?: AbortSignal;
  timeouts?: RequestTimeouts;
  responseBodyBytesMax?: number;
  /** Called once when a request that was sent is over: its answer's body has ended or was cancelled, or the request failed. */
  onEnd?: () => void;
};

export type OutboundResponse = { status: number; headers: ResponseHeaders; body: ResponseBody };

export type SafeFetch = {
  /**
   * Sends one request and resolves with the answer once its headers have arrived, whatever the status: redirects are answers like any other, and
   * nothing is repeated or decompressed. The body must be read or cancelled; an unread body is closed after `timeouts.totalMs`.
   *
   * @throws {OutboundError}
   */
  (url: string | URL, request?: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
};

export type SafeFetchOptions = {
  /** Private targets that may be contacted, as in `parseOutboundAllow`; empty: none. */
  allow: string;
  timeouts?: Partial<Timeouts>;
  /** Connections to one origin; further requests wait for one. */
  connectionsPerOriginMax?: number;
  /** Concurrent requests of the instance; also the minimum for the limits of origins and of names that wait. */
  requestsMax?: number;
  /** Instead of the operating system's resolver; all addresses that it answers are checked. */
  resolve?: ResolveName | undefined;
  /** Certificates of authorities, in PEM, trusted beside those that Node trusts. */
  extraCa?: string | undefined;
};

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The one client for requests to addresses chosen by others (`docs/decisions/0006-one-outbound-client.md`). Throws RangeError for a malformed `allow`. */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const timeouts: Timeouts = { ...outboundLimits.timeouts, ...options.timeouts };
  const resolver = createResolver({
    resolveAll: options.resolve,
    timeoutMs: timeouts.lookupMs,
    waitingMax: Math.max(outboundLimits.lookupsWaitingMax, options.requestsMax ?? 0),
  });
  const pools = createPools(options, resolver, timeouts.connectMs);

  const safeFetch = async (target: string | URL, request: OutboundRequest = {}): Promise<OutboundResponse> => {
    const { url } = parseTargetUrl(target);
    const { method = 'GET', headers = {}, body = null, signal } = request;
    if (!methods.has(method)) throw new OutboundError('protocol', 'method');
    const limits = { ...timeouts, ...request.timeouts };
    const bytesMax = request.responseBodyBytesMax ?? outboundLimits.responseBodyBytesMax;
    const sentHeaders = toSentHeaders(headers);
    const { dispatcher, leave } = pools.enter(url.origin);
    const life = startRequestLife(limits.totalMs, signal, () => {
      leave();
      request.onEnd?.();
    });
    let hasConnection = false;
    const headTimer = setTimeout(() => life.fail(new OutboundError('timeout', 'headers_timeout')), limits.headMs);
    try {
      const answer = await life.orEnded(
        dispatcher.request<StartListener>({
          path: `${url.pathname}${url.search}`,
          method,
          headers: sentHeaders,
          body: markFailures(body, life.fail) as Uint8Array | null,
          signal: life.signal,
          headersTimeout: limits.headersMs,
          bodyTimeout: limits.bodyIdleMs,
          responseHeaders: 'raw',
          opaque: {
            onStart: () => {
              hasConnection = true;
            },
          },
        }),
        (late) => late.body.on('error', ignore).destroy(),
      );
      // A body that is destroyed before anybody reads it emits its error without a listener.
      answer.body.on('error', ignore);
      const answerHeaders = readResponseHeaders(answer.headers as unknown as (Buffer | string)[]);
      const wrapped = wrapBody(answer.body, bytesMax, life.failure, life.end);
      if (method !== 'HEAD' && Number(answerHeaders['content-length'] ?? 0) > bytesMax) {
        wrapped.cancel();
        throw new OutboundError('too_large', 'response_body');
      }
      return { status: answer.statusCode, headers: answerHeaders, body: wrapped };
    } catch (error) {
      life.end();
      const ended = life.failure();
      // The request may time out before the lookup does. A target whose name was never looked up has not been silent.
      if (ended?.kind === 'timeout' && !hasConnection && resolver.isQueueDelayed(url.hostname))
        throw new OutboundError('timeout', 'lookup_queue_timeout', ended);
      throw ended ?? toOutboundError(error, 'request');
    } finally {
      clearTimeout(headTimer);
    }
  };
  return Object.assign(safeFetch, { close: () => pools.close() });
}

const createPools = (options: SafeFetchOptions, { resolve }: Resolver, connectTimeoutMs: number): OriginPools => {
  const connections = options.connectionsPerOriginMax ?? outboundLimits.connectionsPerOriginMax;
  const pool = {
    connect: createCheckedConnector({
      allow: parseOutboundAllow(options.allow),
      resolve,
      connectTimeoutMs,
      extraCa: options.extraCa,
    }),
    allowH2: false,
    pipelining: 1,
    connections,
    keepAliveTimeout: outboundLimits.idleConnectionMs,
    keepAliveMaxTimeout: outboundLimits.idleConnectionMsMax,
    maxHeaderSize: outboundLimits.responseHeaderBytesMax,
    strictContentLength: true,
  };
  return createOriginPools(pool, {
    originsMax: Math.max(outboundLimits.originsMax, options.requestsMax ?? 0),
    requestsPerOriginMax: connections * outboundLimits.requestsPerConnectionMax,
  });
};

/** The body; failures of its source are distinguished from those of the target: `aborted`, reason `request_body`. */
const markFailures = (body: RequestBody, onFailure: (error: OutboundError) => void): RequestBody => {
  if (body === null || body instanceof Uint8Array) return body;
  return (async function* () {
    try {
      yield* body;
    } catch (cause) {
      const error = new OutboundError('aborted', 'request_body', cause);
      onFailure(error);
      throw error;
    }
  })();
};

const ignore = (): void => {};
