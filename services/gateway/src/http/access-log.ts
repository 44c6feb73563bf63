import type { Logger } from '@agent-trust/service-kit';

/** @param route its pattern; null if there is none @param limitedBy whose own limit refused it, if one did */
export type LogAccess = (
  method: string,
  route: string | null,
  status: number,
  tookMs: number,
  requestId: string,
  limitedBy?: 'caller',
) => void;

export type RequestLog = {
  access: LogAccess;
  /** A request that a part of the service did not serve, and why. */
  unserved: (error: unknown, requestId: string) => void;
};

const countForMs = 1_000;

/**
 * One line for each request, with the route's pattern instead of its URL: a path contains ids, and the query of GET /rotate is a secret. From
 * the first line on, at most `linesPerSecondMax` lines within a second of requests that were served, as many of refusals, and as many that say
 * why one could not be served, so that none hides the others. The rest is counted in one line: a line costs as much as an answer from memory.
 */
export function createRequestLog(logger: Logger, linesPerSecondMax: number): RequestLog {
  const written = { served: 0, refused: 0, unserved: 0 };
  const left = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  const endSecond = (): void => {
    timer = null;
    written.served = 0;
    written.refused = 0;
    written.unserved = 0;
    if (left.size === 0) return;
    logger.info({ requests: Object.fromEntries(left) }, 'more requests, counted');
    left.clear();
  };
  /** Whether there is to be a line; else the request is counted by its name. */
  const mayWrite = (kind: keyof typeof written, nameOf: () => string): boolean => {
    timer ??= setTimeout(endSecond, countForMs).unref();
    written[kind] += 1;
    if (written[kind] <= linesPerSecondMax) return true;
    const name = nameOf();
    left.set(name, (left.get(name) ?? 0) + 1);
    return false;
  };
  return {
    access: (method, route, status, tookMs, requestId) => {
      if (!logger.isLevelEnabled('info')) return;
      if (!mayWrite(status < 400 ? 'served' : 'refused', () => `${method} ${route ?? 'unknown'} ${status}`)) return;
      const duration = Math.round(tookMs * 10) / 10;
      logger.info({ method, route, status, duration_ms: duration, request_id: requestId }, 'request');
    },
    unserved: (error, requestId) => {
      if (!logger.isLevelEnabled('warn')) return;
      // By its kind: a text may name what was asked for.
      if (!mayWrite('unserved', () => `not served: ${error instanceof Error ? error.name : 'unknown'}`)) return;
      logger.warn({ err: error, request_id: requestId }, 'request could not be served');
    },
  };
}
