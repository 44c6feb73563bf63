import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Which credentials a route reads; the OpenAPI document's security section is made from it. */
export type RouteCredential = 'none' | 'agent' | 'signature' | 'organisation' | 'admin_token' | 'admin_key';

/** One answer of a route. */
export type RouteAnswer = {
  description: string;
  body: z.ZodType | null;
  contentType?: string;
  headers?: Record<string, string>;
  /** A second content type that the same answer may come in, as a stream that no schema describes. */
  streamedAs?: string;
};

/**
 * One route of the HTTP interface: what it takes, what it answers, how it may refuse. The gateway parses with it and the OpenAPI
 * document is made from it, so neither can say what the other does not.
 */
export type Route<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with parameters in OpenAPI's form, `/agent/{agent_id}`. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  credentials: RouteCredential[];
  body?: Body;
  bodyBytesMax?: number;
  query?: Query;
  params?: Params;
  /** Request headers that matter to the route besides those of its credentials. */
  headers?: Record<string, string>;
  answers: Record<number, RouteAnswer>;
  /** Error bodies that say more than `errorBody`, by status. */
  errorBodies?: Record<number, z.ZodType>;
  errors: ErrorCode[];
};

export const route = <
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Params extends z.ZodType = z.ZodNever,
>(
  definition: Route<Body, Query, Params>,
): Route<Body, Query, Params> => definition;
