import type { Route } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { parse } from './validation.ts';

/** A request whose parts have been parsed by its route's schemas. */
export type Asked<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body: z.output<Body>;
  query: z.output<Query>;
  params: z.output<Params>;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type EndpointOptions = {
  /** Keeps the body's bytes in `request.rawBody`; where requests may be signed they are kept anyhow. */
  keepsRawBody?: boolean;
  /** Reads the bytes of its JSON body in place of JSON.parse; throws for what is no JSON. */
  parsesBody?: (bytes: Buffer) => unknown;
  /** Takes a body of any type, as a stream in `request.body` that nobody has read; `route.body` is then absent. */
  streamsBody?: boolean;
  /** Runs before the body is read. */
  admit?: (request: FastifyRequest, reply: FastifyReply, gateway: Gateway) => Promise<void>;
};

/** A route of the interface with what answers it. */
export type Endpoint = {
  route: Route;
  options: EndpointOptions;
  run(request: FastifyRequest, reply: FastifyReply, gateway: Gateway): Promise<unknown>;
};

/**
 * Joins a route to its answer: what `answer` resolves to is the body of the route's first (successful) status, unless it sets another.
 * Its shape is the route's schema, held to it by the tests; parsing it here again would cost more than making it.
 */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType>(
  route: Route<Body, Query, Params>,
  answer: (asked: Asked<Body, Query, Params>, gateway: Gateway) => Promise<unknown>,
  options: EndpointOptions = {},
): Endpoint {
  const { body, query, params } = route;
  const status = Number(Object.keys(route.answers)[0]);
  return {
    route: route as unknown as Route,
    options,
    run: (request, reply, gateway) => {
      reply.code(status);
      const asked = {
        params: params && parse('path', params, request.params),
        query: query && parse('query', query, request.query),
        body: body && parse('body', body, request.body),
        request,
        reply,
      };
      return answer(asked as Asked<Body, Query, Params>, gateway);
    },
  };
}
