import type { Logger } from '@agent-trust/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * One line for each request, with the route's pattern in place of its URL: a path holds ids, and the query of GET /rotate is a secret.
 */
export function logAccess(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!logger.isLevelEnabled('info')) return;
  logger.info(
    {
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: reply.raw.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      request_id: request.id,
    },
    'request',
  );
}
