import { NetworkError, RegistryError, TimeoutError, UnexpectedAnswerError } from '@agent-trust/client';

/** What a reader needs of an error: to understand it, and to tell the operator. */
export type ErrorParts = {
  title: string;
  detail: string;
  code: string | null;
  requestId: string | null;
  /** Whether the same request may succeed later. */
  maySucceedLater: boolean;
};

/** The parts of whatever a request threw. */
export function errorParts(error: unknown): ErrorParts {
  if (error instanceof RegistryError) {
    const faults = error.items.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    const { status, code, requestId } = error;
    return {
      title: status >= 500 ? 'The registry cannot answer now' : titleOf(status),
      detail: faults === '' ? error.detail : faults,
      code,
      requestId,
      maySucceedLater: status >= 500 || status === 429,
    };
  }
  if (error instanceof UnexpectedAnswerError)
    return {
      title: 'Something other than the registry answered',
      detail: error.message,
      code: `status ${error.status}`,
      requestId: error.requestId,
      maySucceedLater: true,
    };
  const detail = error instanceof Error ? error.message : String(error);
  const isWaiting = error instanceof NetworkError || error instanceof TimeoutError;
  const title = isWaiting ? 'The registry does not answer' : 'The page failed';
  return { title, detail, code: null, requestId: null, maySucceedLater: true };
}

const titleOf = (status: number): string => {
  if (status === 401) return 'A credential is needed';
  if (status === 403) return 'This credential may not do that';
  if (status === 404) return 'There is no such thing';
  if (status === 429) return 'Too many requests';
  return 'The registry refuses the request';
};
