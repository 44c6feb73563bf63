export { type CheckTarget, createCheckTarget } from './check-target.ts';
export { createGuardedClient } from './guarded-client.ts';
export { hopByHopHeaders, joinedHeaders } from './headers.ts';
export { outboundLimits, type RequestTimeouts, type Timeouts } from './limits.ts';
export { isOwnLimit, OutboundError, type OutboundErrorKind } from './outbound-error.ts';
export { type ChunkJoiner, createChunkJoiner, type ResponseBody, readBytes, readWithin } from './response-body.ts';
export {
  createSafeFetch,
  type OutboundMethod,
  type OutboundRequest,
  type OutboundResponse,
  type SafeFetch,
} from './safe-fetch.ts';
export { targetLimitsOf } from './target-guard/limits.ts';
export {
  createTargetGuard,
  type GuardedTarget,
  type TargetGuard,
  type TargetPass,
} from './target-guard/target-guard.ts';
export { TargetRefused } from './target-guard/target-refused.ts';
export { parseTargetUrl } from './target-url.ts';
