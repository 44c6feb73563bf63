import { METHODS } from 'node:http';
import { type CounterSeries, counter, type HistogramSeries, histogram } from '@agent-trust/metrics';
import type { LogAccess } from './access-log.ts';

const durations = histogram('http.server.request.duration');
const refusals = counter('registry.http.refusals');
/** Others are made up by whoever sends them. */
const knownMethods = new Set(METHODS);

type Scheme = 'http' | 'https';

/** Measures each request that is logged, and passes it on to its log. @param schemeOf of the address that clients use */
export function measureRequests(logAccess: LogAccess, schemeOf: () => Scheme): LogAccess {
  return (method, route, status, tookMs, requestId, limitedBy) => {
    durationOf(schemeOf(), method, route, status, limitedBy).record(tookMs / 1_000);
    logAccess(method, route, status, tookMs, requestId, limitedBy);
  };
}

/** The series of one route, method and status, which may be kept. */
export function durationOf(
  scheme: Scheme,
  method: string,
  route: string | null,
  status: number,
  limitedBy?: 'caller',
): HistogramSeries {
  return durations.with({
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'url.scheme': scheme,
    'http.route': route ?? undefined,
    'http.response.status_code': String(status),
    'error.type': status >= 500 ? String(status) : undefined,
    'registry.limited_by': limitedBy,
  });
}

/** Counts requests of a route that are answered with an error of this code. */
export function refusalsOf(route: string | null, code: string): CounterSeries {
  return refusals.with({ 'http.route': route ?? undefined, 'error.type': code });
}
