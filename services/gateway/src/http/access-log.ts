import type { Logger } from '@agent-trust/service-kit';

/** @param route its pattern; null if there is none */
export type LogAccess = (
  method: string,
  route: string | null,
  status: number,
  tookMs: number,
  requestId: string,
) => void;

const countForMs = 1_000;

/**
 * One line for each request, with the route's pattern instead of its URL: a path contains ids, and the query of GET /rotate is a secret. In
 * each second at most `linesPerSecondMax` lines of requests that were served, and as many of refusals, so that neither hide the others. The
 * rest is counted in one line by route and status: a line costs as much as an answer from memory.
 */
export function createAccessLog(logger: Logger, linesPerSecondMax: number): LogAccess {
  const written = { served: 0, refused: 0 };
  const left = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  const endSecond = (): void => {
    timer = null;
    written.served = 0;
    written.refused = 0;
    if (left.size === 0) return;
    logger.info({ requests: Object.fromEntries(left) }, 'more requests, counted');
    left.clear();
  };
  return (method, route, status, tookMs, requestId) => {
    if (!logger.isLevelEnabled('info')) return;
    timer ??= setTimeout(endSecond, countForMs).unref();
    const kind = status < 400 ? 'served' : 'refused';
    if (written[kind] >= linesPerSecondMax) {
      const name = `${method} ${route ?? 'unknown'} ${status}`;
      left.set(name, (left.get(name) ?? 0) + 1);
      return;
    }
    written[kind] += 1;
    const duration = Math.round(tookMs * 10) / 10;
    logger.info({ method, route, status, duration_ms: duration, request_id: requestId }, 'request');
  };
}
