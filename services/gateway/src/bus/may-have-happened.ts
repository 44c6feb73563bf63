import {
  RpcInternalError,
  RpcProtocolError,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '@agent-trust/nats-rpc';

/** Whether a command may have been carried out although it ended with this error. */
export const mayHaveHappened = (error: unknown): boolean => {
  // The service's own word for an event log that did not answer in time.
  if (error instanceof RpcRefusedError) return error.code === 'unavailable';
  if (error instanceof RpcUnavailableError) return error.outcomeUnknown;
  return error instanceof RpcTimeoutError || error instanceof RpcInternalError || error instanceof RpcProtocolError;
};
