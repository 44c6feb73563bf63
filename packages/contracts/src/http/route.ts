import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Tag } from './tags.ts';

/**
 * A credential that a route reads. `none`: the route can do without. `organisation`: either key of an organisation; `production_key` and
 * `sandbox_key`: only the key of that universe.
 */
export type RouteCredential =
  | 'none'
  | 'agent'
  | 'signature'
  | 'organisation'
  | 'production_key'
  | 'sandbox_key'
  | 'admin_token'
  | 'admin_key';

/** A real body, under a name of its own in its map: what it shows in a few words, and the body as it stands on the wire. */
export type Example = { summary: string; value: unknown };
export type Examples = Record<string, Example>;

/** A header of a request or an answer: what it says, what its text must look like as JSON Schema, and one that is right. */
export type Header = { description: string; schema: Record<string, unknown>; example: string | number };
export type Headers = Record<string, Header>;

/** One answer of a route. */
export type RouteAnswer = DescribedAnswer & ({ body: null } | { body: z.ZodType; examples: Examples });

type DescribedAnswer = {
  description: string;
  contentType?: string;
  /** Further content types that bodies of the same schema come in. */
  alsoAs?: string[];
  headers?: Headers;
  /** Bodies that this answer really has, each right by its schema. */
  examples?: Examples;
  /** A second content type that the same answer may come in, as a stream that no schema describes. */
  streamedAs?: string;
  /** How such a stream looks, as text. */
  streamExample?: string;
  /** Still further content types of such streams, each with how it looks. */
  furtherStreams?: Record<string, string>;
};

/** A route as it is declared; `route` adds the error codes that follow from the declaration. */
type RouteDefinition<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Credential extends RouteCredential = RouteCredential,
> = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with parameters in OpenAPI's form, `/agent/{agent_id}`. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tag: Tag;
  /**
   * Who may call the route, stated here alone: the gateway authenticates by it, and the security section of the OpenAPI document, the agent
   * card and the rules for web pages are made from it. Ownership (whose agent, which universe) is for the decider to judge.
   */
  credentials: Credential[];
  /**
   * What several credentials in one request mean. By default an organisation's key counts and a bearer credential beside it is not read.
   * `check_all`: every credential must be valid, and the organisation's key counts. `combine`: every credential must be valid, and together
   * they may mean more than each alone. `signature_decides`: a signature counts, and nothing else is read.
   */
  severalCredentials?: 'check_all' | 'combine' | 'signature_decides';
  /** The code with which an unknown X-API-KEY is refused, if not `invalid_api_key`. An unknown key is never ignored. */
  badApiKey?: ErrorCode;
  body?: Body;
  bodyBytesMax?: number;
  /** Bodies that the route takes, each right by `body`. */
  bodyExamples?: Examples;
  query?: Query;
  params?: Params;
  /** Request headers that matter to the route besides those of its credentials. */
  headers?: Headers;
  answers: Record<number, RouteAnswer>;
  /** Error bodies that say more than `errorBody`, by status. */
  errorBodies?: Record<number, z.ZodType>;
  /** What stands in the example of a refusal besides detail, code and request_id, or in place of its usual words. */
  errorExamples?: Partial<Record<ErrorCode, Record<string, unknown>>>;
  /** Codes of its own refusals, besides those that follow from its credentials, headers and schemas. */
  errors?: readonly ErrorCode[];
  /** Takes a body of any type and none at all; what becomes of it. `body` is then absent. */
  anyBody?: string;
  /**
   * Answers with what an agent answered, whatever its status and type: then a status that is listed elsewhere may be the agent's too.
   */
  relayed?: RouteAnswer;
  /** A GET that changes something, shows a secret once or is passed on answers 405 to HEAD. */
  withoutHead?: boolean;
  /** Its answers hold secrets, so no cache may keep them and no link may tell where they came from. */
  secret?: boolean;
};

/**
 * One route of the HTTP interface: what it takes, what it answers, how it may refuse. The gateway parses with it and the OpenAPI
 * document is made from it, so neither can say what the other does not.
 */
export type Route<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Credential extends RouteCredential = RouteCredential,
> = RouteDefinition<Body, Query, Params, Credential> & { errors: readonly ErrorCode[] };

export function route<
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Params extends z.ZodType = z.ZodNever,
  Credential extends RouteCredential = RouteCredential,
>(definition: RouteDefinition<Body, Query, Params, Credential>): Route<Body, Query, Params, Credential> {
  return { ...definition, errors: [...new Set([...impliedErrors(definition), ...(definition.errors ?? [])])] };
}

/** Refusals of a command, whatever it decides. */
export const commandErrors = ['write_conflict', 'read_model_behind'] as const satisfies ErrorCode[];

/** Refusals that follow from what a route reads: its schemas, its credentials and its Idempotency-Key. */
function impliedErrors(route: RouteDefinition): ErrorCode[] {
  const reads = (...credentials: RouteCredential[]): boolean =>
    credentials.some((credential) => route.credentials.includes(credential));
  const rules: [boolean, ...ErrorCode[]][] = [
    [(route.params ?? route.query ?? route.body) !== undefined, 'validation_failed'],
    [reads('admin_key'), 'invalid_admin_key', 'browser_request_refused'],
    [!reads('none', 'admin_key'), 'credential_required'],
    [reads('agent', 'signature', 'admin_token'), 'invalid_credential'],
    [reads('organisation', 'production_key', 'sandbox_key'), route.badApiKey ?? 'invalid_api_key'],
    [reads('sandbox_key'), 'sandbox_key_required'],
    [route.headers?.['Idempotency-Key'] !== undefined, 'idempotency_key_reused', 'idempotency_key_in_use'],
  ];
  return rules.flatMap(([applies, ...codes]) => (applies ? codes : []));
}

/** An answer with one example of its body. */
export function answer(
  description: string,
  body: z.ZodType,
  example: unknown,
  more: Partial<DescribedAnswer> = {},
): RouteAnswer {
  return { description, body, examples: { example: { summary: description, value: example } }, ...more };
}
