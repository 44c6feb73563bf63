import type { Route, RouteCredential } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { type Identified, identify } from './caller/caller.ts';
import { parse } from './validation.ts';

/** A request whose parts have been parsed by its route's schemas, and who sent it. */
export type Asked<Of, Checked = void> =
  Of extends Route<infer Body, infer Query, infer Params, infer Credential>
    ? Parts<Body, Query, Params> & Identified<Credential> & { checked: Checked }
    : never;

type Parts<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body: z.output<Body>;
  query: z.output<Query>;
  params: z.output<Params>;
  request: FastifyRequest;
  reply: FastifyReply;
};

type EndpointOptions = {
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
 * Joins a route to its answer. Checks come in the order of the specification: the request is parsed (422), then its caller is identified by the
 * credentials that the route declares (401), then `answer` runs. What `answer` resolves to is the body of the route's first (successful)
 * status, unless it sets another. Its shape is the route's schema, held to it by the tests; parsing it here again would cost more than
 * making it.
 *
 * @param options.check Further checks of the request itself, before its credentials are looked at; its result is `checked`.
 */
export function endpoint<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
  Credential extends RouteCredential,
  Checked = void,
>(
  route: Route<Body, Query, Params, Credential>,
  answer: (asked: Asked<Route<Body, Query, Params, Credential>, Checked>, gateway: Gateway) => Promise<unknown>,
  {
    check,
    ...options
  }: EndpointOptions & { check?: (asked: Parts<Body, Query, Params>) => Checked | Promise<Checked> } = {},
): Endpoint {
  const { body, query, params } = route;
  const status = Number(Object.keys(route.answers)[0]);
  return {
    route: route as unknown as Route,
    options,
    run: async (request, reply, gateway) => {
      reply.code(status);
      const parts = {
        params: params && parse('path', params, request.params),
        query: query && parse('query', query, request.query),
        body: body && parse('body', body, request.body),
        request,
        reply,
      } as Parts<Body, Query, Params>;
      const checked = (await check?.(parts)) as Checked;
      return answer({ ...parts, ...(await identify(gateway, request, route)), checked }, gateway);
    },
  };
}
