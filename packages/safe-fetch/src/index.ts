export { type CheckTarget, type CheckTargetOptions, createCheckTarget } from './check-target.ts';
export { type ChunkJoiner, createChunkJoiner } from './chunk-joiner.ts';
export { createGuardedClient, type GuardedClientOptions } from './guarded-client.ts';
export { hopByHopHeaders } from './hop-by-hop-headers.ts';
export { outboundLimits, type RequestTimeouts, type Timeouts } from './limits.ts';
export { type OutboundAllow, parseOutboundAllow } from './outbound-allow.ts';
export { isOwnLimit, OutboundError, type OutboundErrorKind } from './outbound-error.ts';
export type { RequestHeaders } from './request-headers.ts';
export type { ResolveName } from './resolve-name.ts';
export { type ResponseBody, readBytes, readWithin } from './response-body.ts';
export { joinedHeaders, type ResponseHeaders } from './response-headers.ts';
export {
  createSafeFetch,
  type OutboundMethod,
  type OutboundRequest,
  type OutboundResponse,
  type SafeFetch,
  type SafeFetchOptions,
} from './safe-fetch.ts';
export { type TargetLimits, targetLimitsOf } from './target-guard/limits.ts';
export { parseTargetUrl, type TargetUrl } from './target-url.ts';
export {
  createTargetGuard,
  type GuardedTarget,
  type TargetGuard,
  type TargetPass,
} from './target-guard/target-guard.ts';
export { type TargetRefusal, type TargetRefusalCode, TargetRefused } from './target-guard/target-refused.ts';
