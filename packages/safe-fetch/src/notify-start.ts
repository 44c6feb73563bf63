import type { Dispatcher } from 'undici';

/** What a request passes through undici as its `opaque`. */
export type StartListener = {
  /** The request has a connection and starts to be sent. Until then it waits in the pool. */
  onStart(): void;
};

/** An interceptor that tells a request's listener of its start. */
export const notifyStart: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const start = handler.onRequestStart?.bind(handler);
  const { opaque } = options as unknown as { opaque: StartListener };
  // Patches undici's own handler, which belongs to this request alone: a wrapper would have to pass on everything else that undici calls.
  handler.onRequestStart = (controller, context) => {
    opaque.onStart();
    start?.(controller, context);
  };
  return dispatch(options, handler);
};
