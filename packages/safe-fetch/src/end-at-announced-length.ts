import type { Dispatcher } from 'undici';

/** How a connection ends that the other side has closed or reset. */
const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/**
 * Takes an answer for whole whose announced bytes have all come before its connection closed. undici stops reading a connection while a slow
 * reader has enough; where that is right behind the last byte of the body, it meets the end of the connection before it has looked for the end of
 * the answer, takes it for a failure, and throws away what the reader has not read yet.
 *
 * An interceptor for the dispatcher of one request.
 */
export const endAtAnnouncedLength: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const start = handler.onResponseStart?.bind(handler);
  const data = handler.onResponseData?.bind(handler);
  const end = handler.onResponseEnd?.bind(handler);
  const fail = handler.onResponseError?.bind(handler);
  // Not a number, and so never none, where no length is announced.
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
