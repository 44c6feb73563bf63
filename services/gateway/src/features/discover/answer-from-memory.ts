import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { agentRoute, verifyRoute } from '@agent-trust/contracts';
import type { Gateway } from '../../gateway.ts';
import type { LogAccess } from '../../http/access-log.ts';
import { isKnownHost } from '../../http/known-hosts.ts';
import { revalidated } from '../../http/public-document.ts';
import { requestIdOf } from '../../http/request-id.ts';
import { fastifyPath } from '../../http/routes.ts';
import type { RequestTracer } from '../../http/tracing.ts';
import { heldProfile, heldVerdict } from './held-texts.ts';

/** A longer body has other members than an agent's id. */
const bodyBytesMax = 1_024;

const profilePath = '/agent/';
/** Other characters are escaped in a path, or belong to a query or to a path of another route. */
const plainId = /^[\w.~-]+$/u;

/**
 * Answers the plainest requests for verdicts and profiles that are held, with the same bytes as their routes; everything else goes on to
 * `other`, the framework, whose work for a request costs twice as much as such an answer.
 */
export function answerFromMemory(
  gateway: Gateway,
  server: { readonly listening: boolean },
  { logAccess, tracer }: { logAccess: LogAccess; tracer: RequestTracer | null },
  other: RequestListener,
): RequestListener {
  // CORS has work with every request, and so has a registry whose readers must be known.
  if (gateway.settings.CORS_ALLOWED_ORIGINS.length > 0 || !gateway.settings.PUBLIC_READS) return other;

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    { path, method }: { path: string; method: string },
    answer: { text: string; headers: Record<string, string> },
  ): void => {
    const requestId = requestIdOf(request);
    response.writeHead(200, {
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer.text),
    });
    response.end(answer.text);
    const route = fastifyPath(path);
    logAccess(method, route, 200, performance.now() - startedAt, requestId);
    if (tracer === null) return;
    const { headers, url = '' } = request;
    tracer.end(tracer.start({ method, headers, route, path: url, requestId, startedAt }).span, 200);
  };

  const verify = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const declared = Number(request.headers['content-length']);
    request.once('data', (chunk: Buffer) => {
      const agentId = chunk.length === declared ? agentIdIn(chunk) : undefined;
      const text = agentId === undefined ? undefined : heldVerdict(gateway, agentId);
      if (text !== undefined) return send(request, response, startedAt, verifyRoute, { text, headers: {} });
      request.pause();
      request.unshift(chunk);
      other(request, response);
    });
  };

  return (request, response) => {
    const { method, url = '', headers } = request;
    const isVerify = method === 'POST' && url === verifyRoute.path && hasShortJson(headers);
    const isProfile = method === 'GET' && url.startsWith(profilePath) && headers['content-length'] === undefined;
    if (!(isVerify || isProfile) || !isPlain(request, gateway) || !server.listening) return other(request, response);
    if (isVerify) return verify(request, response);
    const startedAt = performance.now();
    const agentId = url.slice(profilePath.length);
    const made = plainId.test(agentId) ? heldProfile(gateway, agentId) : undefined;
    if (made === undefined) return other(request, response);
    const { text, etag } = made;
    return send(request, response, startedAt, agentRoute, { text, headers: { etag, 'cache-control': revalidated } });
  };
}

/** Neither a credential that its route reads, nor a condition, nor a form that only the framework refuses or understands. */
const isPlain = ({ headers }: IncomingMessage, gateway: Gateway): boolean =>
  headers.host !== undefined &&
  isKnownHost(gateway, headers.host) &&
  headers['x-api-key'] === undefined &&
  headers['if-none-match'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined;

const hasShortJson = (headers: IncomingMessage['headers']): boolean => {
  const bytes = Number(headers['content-length']);
  return headers['content-type'] === 'application/json' && bytes > 0 && bytes <= bodyBytesMax;
};

/** The id, if the body has nothing else. Whether it is valid, its route says: only answers for valid ids are held. */
const agentIdIn = (bytes: Buffer): string | undefined => {
  if (!isUtf8(bytes)) return undefined;
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof body !== 'object' || body === null) return undefined;
    for (const name of Object.keys(body)) if (name !== 'agent_id') return undefined;
    const { agent_id: agentId } = body as { agent_id?: unknown };
    return typeof agentId === 'string' ? agentId : undefined;
  } catch {
    return undefined;
  }
};
