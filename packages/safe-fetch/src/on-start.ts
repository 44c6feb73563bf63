import type { Dispatcher, Pool } from 'undici';

/** The pool, for one request, telling when it has a connection and begins to be sent: until then it waits in the pool. */
export function onStart(pool: Pool, tell: () => void): Dispatcher {
  return pool.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    // On undici's own handler, which is of this request alone: one around it would have to pass on whatever else undici calls.
    handler.onRequestStart = (controller, context) => {
      tell();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  });
}
