import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { OperatorRole } from '../operator/role.ts';
import type { RouteScope } from '../organisation-key/scope.ts';
import { quotaRefusal } from '../quota/refusal.ts';
import { type UsageKind, usageKindOf } from '../quota/usage-kind.ts';
import { checkDeprecation, type Deprecation } from './deprecation.ts';
import type { Tag } from './tags.ts';

/**
 * A credential that a route reads. `operator`: the key of an operator, or a token of the configured issuer. `none`: a credential is optional. `organisation`: either key of an organisation; `production_key` and
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
  | 'admin_key'
  | 'operator';

/**
 * What closes a route to callers without a credential, for a registry inside one company: one of these settings, if it is off; or, for
 * `claims_in_answers`, either of them, unless claim links go to the agent's contact.
 */
export type ClosedBy = 'PUBLIC_READS' | 'OPEN_REGISTRATION' | 'claims_in_answers';

/** A real body on the wire, with a short summary. */
export type Example = { summary: string; value: unknown };
export type Examples = Record<string, Example>;

/** A header of a request or an answer, with the JSON Schema of its text and a valid example. */
export type Header = { description: string; schema: Record<string, unknown>; example: string | number };
export type Headers = Record<string, Header>;

/** One answer of a route. */
export type RouteAnswer = DescribedAnswer & ({ body: null } | { body: z.ZodType; examples: Examples });

type DescribedAnswer = {
  description: string;
  contentType?: string;
  /** Further content types of bodies with the same schema. */
  alsoAs?: string[];
  headers?: Headers;
  /** Real bodies, each valid by the schema. */
  examples?: Examples;
  /** A second content type: a stream that no schema describes. */
  streamedAs?: string;
  /** An example of that stream. */
  streamExample?: string;
  /** Further content types of streams, each with an example. */
  furtherStreams?: Record<string, string>;
};

/** A route as it is declared; `route` adds the error codes that follow from the declaration. */
type RouteDefinition<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Credential extends RouteCredential = RouteCredential,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with parameters in OpenAPI's form, `/agent/{agent_id}`. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tag: Tag;
  /** That it will be removed. Its answers then have the headers `Deprecation` and `Sunset`, and OpenAPI says so. */
  deprecated?: Deprecation;
  /**
   * Who may call the route, stated here alone: the gateway authenticates by it, and the security section of the OpenAPI document, the agent
   * card and the rules for web pages are made from it. Ownership (whose agent, which universe) is for the decider to judge.
   */
  credentials: Credential[];
  /** The least role with which an operator may call the route; on each route that reads a credential of operators, and on no other. */
  operatorRole?: OperatorRole;
  /** The scope with which a named key of an organisation may call the route; on each route that reads keys of organisations, and on no other. */
  organisationScope?: RouteScope;
  /** What refuses callers without a credential. Absent: such callers are never refused, if `credentials` has `none`. */
  closedBy?: ClosedBy;
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
  /** Request bodies, each valid by `body`. */
  bodyExamples?: Examples;
  query?: Query;
  params?: Params;
  /** Request headers besides those of its credentials. */
  headers?: Headers;
  answers: Record<number, RouteAnswer>;
  /** Error bodies that say more than `errorBody`, by status. */
  errorBodies?: Record<number, z.ZodType>;
  /** Further fields of the example of a refusal, or replacements of its usual ones. */
  errorExamples?: Partial<Record<ErrorCode, Record<string, unknown>>>;
  /** Codes of its own refusals, besides those that follow from its credentials, headers and schemas. */
  errors?: readonly ErrorCode[];
  /** For a route that accepts any body or none: what happens with it. `body` is then absent. */
  anyBody?: string;
  /** The forwarded answer of an agent, with any status and type: a status listed elsewhere may then be the agent's, too. */
  relayed?: RouteAnswer;
  /** Answers 405 to HEAD: for a GET that changes something, shows a secret once or is forwarded. */
  withoutHead?: boolean;
  /**
   * As what a request counts towards the limits of its organisation. Absent: a GET as a read, anything else as nothing. Null: as nothing, also a
   * GET.
   */
  countsAs?: UsageKind | null;
  /** Answers whatever the Host header names; otherwise the registry must go by that name. */
  anyHost?: boolean;
  /** Its answers contain secrets: not cached, and links send no referrer. */
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

/** The credentials of operators. */
export type OperatorCredential = 'admin_token' | 'admin_key' | 'operator';

/** A route that operators may call states the role that it needs. */
type WithRole<Credential extends RouteCredential> = [Extract<Credential, OperatorCredential>] extends [never]
  ? unknown
  : { operatorRole: OperatorRole };

/** The credentials of organisations. */
export type OrganisationCredential = 'organisation' | 'production_key' | 'sandbox_key';

/** A route that organisations may call states what their named keys need. */
type WithScope<Credential extends RouteCredential> = [Extract<Credential, OrganisationCredential>] extends [never]
  ? { organisationScope?: never }
  : { organisationScope: RouteScope };

export function route<
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Params extends z.ZodType = z.ZodNever,
  Credential extends RouteCredential = RouteCredential,
>(
  definition: RouteDefinition<Body, Query, Params, Credential> & WithRole<Credential> & WithScope<Credential>,
): Route<Body, Query, Params, Credential> {
  if (definition.deprecated !== undefined) checkDeprecation(definition.path, definition.deprecated);
  return {
    ...definition,
    ...(usageKindOf(definition) === null ? {} : { errorBodies: { 429: quotaRefusal, ...definition.errorBodies } }),
    errors: [...new Set([...impliedErrors(definition), ...(definition.errors ?? [])])],
  };
}

/** Refusals of a command, whatever it decides. */
export const commandErrors = ['write_conflict', 'read_model_behind', 'log_rolled_back'] as const satisfies ErrorCode[];

/** Refusals that follow from what a route reads: its schemas, its credentials and its Idempotency-Key. */
function impliedErrors(route: RouteDefinition): ErrorCode[] {
  const reads = (...credentials: RouteCredential[]): boolean =>
    credentials.some((credential) => route.credentials.includes(credential));
  const rules: [boolean, ...ErrorCode[]][] = [
    [(route.params ?? route.query ?? route.body) !== undefined, 'validation_failed'],
    [reads('admin_key'), 'invalid_admin_key', 'browser_request_refused'],
    [!reads('none', 'admin_key'), 'credential_required'],
    [reads('agent', 'signature', 'admin_token', 'operator'), 'invalid_credential'],
    [reads('operator'), 'operator_role_too_low'],
    [reads('agent', 'signature'), 'agent_suspended', 'agent_retired'],
    [
      reads('organisation', 'production_key', 'sandbox_key'),
      route.badApiKey ?? 'invalid_api_key',
      'organisation_disabled',
    ],
    [
      route.organisationScope !== 'any' && reads('organisation', 'production_key', 'sandbox_key'),
      'org_key_scope_missing',
    ],
    [reads('sandbox_key'), 'sandbox_key_required'],
    [usageKindOf(route) !== null, 'quota_exceeded'],
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
