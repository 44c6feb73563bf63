import {
  closedRoute,
  isClosed,
  type Route,
  type RouteCredential,
  DomainError,
  usageKindOf,
  type ValidationItem,
} from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { edgeLimits } from '../limits.ts';
import { counted } from '../quota/counted.ts';
import { holderOf, type Identified, identify } from './caller/caller.ts';
import { logBreakGlass } from './caller/operator/operator.ts';

/** A parsed request and its caller. */
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
  /** Reads a JSON body in place of JSON.parse; throws for invalid JSON. */
  parsesBody?: (bytes: Buffer) => unknown;
  /** Takes a body of any type, as an unread stream in `request.body`; `route.body` is then absent. */
  streamsBody?: boolean;
  /** Runs before the body is read. */
  admit?: (request: FastifyRequest, reply: FastifyReply, gateway: Gateway) => Promise<void>;
};

/** A route with its answer. */
export type Endpoint = {
  route: Route;
  options: EndpointOptions;
  run(request: FastifyRequest, reply: FastifyReply, gateway: Gateway): Promise<unknown>;
};

/**
 * Joins a route to its answer. As specified, the request is parsed (422), then its caller is identified by the route's credentials (401),
 * then `answer` runs. Its result is the body of the route's first (successful) status, unless it sets another. The tests check its shape;
 * parsing it here would cost more than making it.
 * @param options.check Further checks of the request, before its credentials; its result is `checked`.
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
  let closed: Route | undefined;
  const isRead = usageKindOf(route) === 'reads';
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
      const identified = await identify(gateway, request, route);
      let known: Identified<RouteCredential> = identified;
      if (identified.caller.kind === 'anonymous' && isClosed(route, gateway.settings)) {
        known = await identify(gateway, request, (closed ??= closedRoute(route as unknown as Route)));
        identified.actor = known.actor;
        identified.credentials = known.credentials;
      }
      logBreakGlass(gateway, request, route, known.credentials.operator);
      const answered = () => answer({ ...parts, ...identified, checked }, gateway);
      const holder = isRead ? holderOf(known.caller) : null;
      if (holder === null) return answered();
      return counted(await gateway.quotas.take(request, holder, 'reads'), answered);
    },
  };
}

/** The part of a request; the first word of `loc`. `arguments` are those of a tool. */
type Place = 'body' | 'query' | 'path' | 'arguments';

/** Parses one part of a request. @throws DomainError validation_failed with one item for each fault, at most `validationItemsMax`. */
export function parse<Schema extends z.ZodType>(place: Place, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new DomainError('validation_failed', `the ${place} is not valid`, {
    items: toItems(place, result.error.issues),
  });
}

/** zod's issues in wire form: `{loc, msg, type}`. The client's own text is shortened. */
function toItems(place: Place, issues: readonly z.core.$ZodIssue[]): ValidationItem[] {
  return issues
    .filter((issue, at) => !isBoundOf(issue, issues[at + 1]))
    .slice(0, edgeLimits.validationItemsMax)
    .map((issue) => {
      const { path, fault } = innermost(issue, issue.path);
      return {
        loc: [place, ...path.map((key) => (typeof key === 'number' ? key : cut(String(key))))],
        msg: place === 'query' && isList(fault) ? 'is given more than once' : cut(fault.message),
        type: fault.code === 'custom' ? 'value_error' : fault.code,
      };
    });
}

/** An integer beyond 2^53 breaks two bounds, first that of integers: the field's own says more. */
const isBoundOf = (issue: z.core.$ZodIssue, next: z.core.$ZodIssue | undefined): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') &&
  issue.code === next?.code &&
  issue.path.length === next.path.length &&
  issue.path.every((key, at) => key === next.path[at]);

/** The alternative of a union that matched furthest is the intended one. */
const innermost = (issue: z.core.$ZodIssue, path: PropertyKey[]): { path: PropertyKey[]; fault: z.core.$ZodIssue } => {
  if (issue.code !== 'invalid_union') return { path, fault: issue };
  const deepest = issue.errors
    .flatMap((errors) => errors.slice(0, 1))
    .filter((inner) => inner.path.length > 0 || inner.code !== 'invalid_type')
    .sort((a, b) => b.path.length - a.path.length)[0];
  return deepest === undefined ? { path, fault: issue } : innermost(deepest, [...path, ...deepest.path]);
};

/** Of one parameter of a query: fastify makes a list of those that have one name. */
const isList = (fault: z.core.$ZodIssue): boolean =>
  fault.code === 'invalid_type' && fault.message.endsWith('received array');

const cut = (text: string): string =>
  text.length <= edgeLimits.quotedCharsMax ? text : `${text.slice(0, edgeLimits.quotedCharsMax).toWellFormed()}…`;
