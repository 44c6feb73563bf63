import type { Dispatcher } from 'undici';

/** Error codes of a connection that the other side has closed or reset. */
const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/**
 * An interceptor that treats an answer as complete if all announced bytes came before its connection closed. If a slow reader makes undici pause right
 * after the last byte of the body, undici sees the end of the connection first, reports a failure and drops unread data.
 */
export const endAtAnnouncedLength: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const start = handler.onResponseStart?.bind(handler);
  const data = handler.onResponseData?.bind(handler);
  const end = handler.onResponseEnd?.bind(handler);
  const fail = handler.onResponseError?.bind(handler);
  // NaN, so never equal to a count, if no length is announced.
  let bytesMissing = Number.NaN;
  handler.onResponseStart = (controller, status, headers, statusText) => {
    if (status >= 200 && options.method !== 'HEAD') bytesMissing = Number(headers['content-length'] ?? Number.NaN);
    return start?.(controller, status, headers, statusText);
  };
  handler.onResponseData = (controller, chunk) => {
    bytesMissing -= chunk.byteLength;
    return data?.(controller, chunk);
  };
  handler.onResponseError = (controller, error) =>
    bytesMissing === 0 && closedCodes.has((error as NodeJS.ErrnoException).code)
      ? end?.(controller, {})
      : fail?.(controller, error);
  return dispatch(options, handler);
};
