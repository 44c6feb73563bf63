import { z } from 'zod';

/** One fault of a request, as in the `detail` array of every 422. */
export const validationItem = z
  .object({
    loc: z
      .array(z.union([z.string(), z.number()]))
      .meta({ description: 'Where the fault is: body, query, path or header, then the way to the field.' }),
    msg: z.string().meta({ description: 'What is wrong there, in words for a person.' }),
    type: z.string().meta({ description: 'The kind of fault in a word.' }),
  })
  .meta({ id: 'ValidationItem', description: 'One fault of a request and where it is.' });
export type ValidationItem = z.infer<typeof validationItem>;

/**
 * Every refusal that a client can meet and its HTTP status. This is the one place where a status stands beside a rule's name;
 * the rest of the system speaks of codes.
 */
export const httpStatusOfError = {
  // the request itself
  malformed_request: 400,
  request_timeout: 408,
  headers_too_large: 431,
  validation_failed: 422,
  malformed_json: 422,
  payload_too_large: 413,
  unsupported_media_type: 415,
  route_not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  too_many_calls: 429,
  // credentials
  credential_required: 401,
  invalid_credential: 401,
  invalid_api_key: 401,
  invalid_admin_key: 401,
  browser_request_refused: 403,
  caller_mismatch: 403,
  not_owner: 403,
  wrong_universe: 403,
  invalid_rotation_credential: 403,
  // agents
  agent_not_found: 404,
  agent_id_taken: 409,
  org_domain_taken: 409,
  org_fields_forbidden: 403,
  sandbox_key_required: 403,
  contact_required: 422,
  price_schedule_incomplete: 422,
  capability_weights_exceeded: 400,
  invalid_public_key: 400,
  invalid_claim_token: 400,
  contact_email_missing: 400,
  already_paired: 409,
  idempotency_key_reused: 422,
  idempotency_key_in_use: 409,
  // agent cards
  invalid_domain: 422,
  domain_not_allowed: 422,
  agent_card_invalid: 422,
  domain_unreachable: 502,
  // universes
  clone_paired: 409,
  already_in_universe: 409,
  not_a_confirmed_pair: 403,
  // organisations
  org_name_taken: 409,
  sandbox_key_exists: 409,
  sandbox_key_absent: 404,
  // webhooks
  webhook_not_found: 404,
  webhook_limit_reached: 409,
  webhook_url_not_allowed: 422,
  // exchanges
  no_endpoint: 422,
  invalid_message: 422,
  call_already_made: 409,
  downstream_failed: 502,
  target_unavailable: 502,
  target_busy: 429,
  // reviews
  caller_trust_too_low: 403,
  same_org_domain: 403,
  self_review: 403,
  no_unreviewed_exchange: 409,
  already_reviewed: 409,
  review_not_found: 404,
  // the verifiable log
  not_in_log: 404,
  log_inconsistent: 503,
  // trust policies
  trust_policy_active: 409,
  trust_policy_name_taken: 409,
  trust_policy_outdated: 409,
  // the system
  read_model_behind: 503,
  write_conflict: 503,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof httpStatusOfError;
export const errorCodes = Object.keys(httpStatusOfError) as ErrorCode[];
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(httpStatusOfError, value);
}

/** The body of every error answer. `extra` fields may follow (an unknown agent on /verify, for one). */
export const errorBody = z
  .object({
    detail: z
      .union([z.string(), z.array(validationItem)])
      .meta({ description: 'What is wrong: a list of faults with the status 422, else words for a person.' }),
    code: z
      .enum(errorCodes as [ErrorCode, ...ErrorCode[]])
      .meta({ description: 'Which rule refused the request; what each code means is told in the introduction.' }),
    request_id: z.string().meta({ description: 'The X-Request-Id of the answer.' }),
  })
  .meta({ id: 'Error', description: 'The body of every refusal.' });

export type DomainErrorOptions = {
  /** Where in the request the fault is, for a code whose status is 422. */
  items?: ValidationItem[];
  cause?: unknown;
};

/** An expected refusal. The message names the thing, the value and the rule; it is shown to the client. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly items: ValidationItem[] | undefined;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.items = options.items;
  }
}

/** A refusal whose fault lies at one place of the request body; every 422 is told this way. */
export function faultAt(code: ErrorCode, loc: (string | number)[], message: string): DomainError {
  return new DomainError(code, message, { items: [{ loc, msg: message, type: code }] });
}

/** A refusal as it crosses the bus: the code, the words for the client, and for a 422 where in the request the faults are. */
export function refusalOf(error: DomainError): { code: ErrorCode; detail: string; data?: { items: ValidationItem[] } } {
  return {
    code: error.code,
    detail: error.message,
    ...(error.items === undefined ? {} : { data: { items: error.items } }),
  };
}
