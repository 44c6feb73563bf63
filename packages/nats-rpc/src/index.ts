export type { CallContext } from './call-context.ts';
export type { Actor, CallOrigin } from './call-headers.ts';
export {
  type RefusalFields,
  RpcCancelledError,
  RpcError,
  RpcForbiddenError,
  RpcInternalError,
  RpcPayloadTooLargeError,
  RpcProtocolError,
  RpcRefusal,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
  type ToRefusal,
  type UnavailableReason,
} from './errors.ts';
export type { JsonValue } from './json.ts';
export { defaultLimits, type RpcLimits } from './limits.ts';
export type { RpcLogger } from './logger.ts';
export {
  defineStream,
  defineUnary,
  type Received,
  type ReceivedTrailer,
  type Sent,
  type SentTrailer,
  type StreamMethod,
  type UnaryMethod,
} from './method.ts';
export { connectRpc } from './rpc.ts';
export { serveAll, type UnaryServers } from './serve-all.ts';
export type { Rpc, RpcOptions, RpcStatus } from './rpc-types.ts';
export type { StreamAnswer } from './stream/stream-answer.ts';
export type { OpenedStream } from './stream/client-stream.ts';
export type { OpenStreamOptions } from './stream/stream-client.ts';
export type { ServeStreamOptions, StreamHandler } from './stream/stream-server.ts';
export type { RequestOptions } from './unary-client.ts';
export type { ServeOptions, UnaryHandler } from './unary-server.ts';
