import { z } from 'zod';
import type { AgentBlock } from './agent/block.ts';

/** One fault of a request, as in the `detail` array of every 422. */
export const validationItem = z
  .object({
    loc: z
      .array(z.union([z.string(), z.number()]))
      .describe('Where the fault is: body, query, path or header, then the way to the field.'),
    msg: z.string().describe('What is wrong there, in words for a person.'),
    type: z.string().describe('The kind of fault in a word.'),
  })
  .meta({ id: 'ValidationItem', description: 'One fault of a request and where it is.' });
export type ValidationItem = z.infer<typeof validationItem>;

/**
 * Every refusal that a client can meet: its HTTP status, and what it tells the client. This is the one place where a status stands beside
 * a rule's name; the rest of the system speaks of codes. The OpenAPI document and its pages are made from it.
 */
export const refusals = {
  // the request itself
  malformed_request: [400, 'The request is not valid HTTP, has no Host header, or was not sent to its end.'],
  unknown_host: [
    421,
    'The Host header names a server that this registry is not known as (protection against DNS rebinding).',
  ],
  expectation_failed: [417, 'The request expects something else than 100-continue.'],
  request_timeout: [408, 'The request was not sent in time.'],
  headers_too_large: [431, 'The request line and the headers together are larger than the service takes.'],
  validation_failed: [422, 'Some fields do not have the required shape; `detail` names each of them.'],
  malformed_json: [422, 'The body is empty, is not UTF-8 or is not JSON.'],
  payload_too_large: [413, 'The body, or the answer to it, is larger than the service carries: send or ask for less.'],
  unsupported_media_type: [
    415,
    'The body is not application/json in UTF-8, or is compressed, or Content-Type is not a media type.',
  ],
  route_not_found: [404, 'There is nothing at this path.'],
  method_not_allowed: [405, 'The path exists, but not with this method; the Allow header names those that it has.'],
  rate_limited: [429, 'Too many requests of this kind within their period: wait for Retry-After seconds.'],
  too_many_calls: [429, 'Too many calls or payments of this caller, or of all, are under way: wait for one to end.'],
  quota_exceeded: [
    429,
    'The organisation has made as many requests of this kind as it may in a UTC day: wait for Retry-After seconds.',
  ],
  // credentials
  credential_required: [401, 'The operation needs a credential, and the request has none that it reads.'],
  invalid_credential: [401, 'The bearer key or signature is not valid, is no longer valid, or is of no use here.'],
  invalid_api_key: [401, "X-API-KEY is not an organisation's key, or not the one of its two keys that is needed here."],
  invalid_admin_key: [401, "X-Admin-Key is missing or is not the operator's."],
  browser_request_refused: [
    403,
    "The request comes from a web page that must not send it: an operator's key, token or sign-in code is for the registry's own pages at most.",
  ],
  operator_role_too_low: [
    403,
    "The operator's role does not include the operation; `detail` names the role that it needs.",
  ],
  caller_mismatch: [403, 'The credential belongs to another agent than the one named as the caller.'],
  not_owner: [403, 'The credential is valid, but not for this agent.'],
  wrong_universe: [403, "The agent belongs to this organisation, but lives in its other key's universe."],
  invalid_rotation_credential: [403, 'The credential does not belong to this agent or its organisation.'],
  agent_suspended: [403, 'The operator has suspended the agent: nobody reaches it, and nobody acts as it.'],
  agent_retired: [403, 'The owner has retired the agent: nobody reaches it, and nobody acts as it.'],
  organisation_disabled: [403, 'The operator has disabled the organisation: its keys do nothing.'],
  claim_by_owner_only: [
    403,
    'Here a claim link of an agent that belongs to an organisation goes only to who has a credential for it.',
  ],
  // agents
  agent_not_found: [404, 'The universe that the credential looks into has no such agent.'],
  agent_id_taken: [409, 'The agent_id is taken, in production or in some sandbox.'],
  org_domain_taken: [409, 'Another agent or another organisation holds the org_domain.'],
  org_fields_forbidden: [403, 'org_name and org_domain may be set only with an organisation key or the admin token.'],
  sandbox_key_required: [403, "The operation, or a field of it, is only for an organisation's sandbox key."],
  contact_required: [422, 'An agent without an organisation needs a contact_email or a public_key.'],
  price_schedule_incomplete: [422, 'A price_schedule needs payment_network, payment_pay_to and payment_asset.'],
  capability_weights_exceeded: [400, 'At most one capability may have weight 3, two weight 2 and three weight 1.'],
  invalid_public_key: [400, 'public_key is not the base64url of a sound Ed25519 public key of 32 bytes.'],
  unknown_position: [400, 'No event of the log has the position to continue from: it was not given out here.'],
  invalid_claim_token: [400, 'The claim token is unknown, expired or used; which of them is not disclosed.'],
  contact_email_missing: [400, 'Without a credential a key goes only to the contact_email, and the agent has none.'],
  already_paired: [409, 'The live agent already has a clone; a pair is permanent.'],
  idempotency_key_reused: [422, 'The Idempotency-Key came with another body before: use a new key for a new request.'],
  idempotency_key_in_use: [409, 'The first request with this Idempotency-Key is still under way: repeat it later.'],
  // agent cards
  invalid_domain: [
    422,
    'The value is neither a domain nor an http or https URL, or is a domain under which anybody may register.',
  ],
  domain_not_allowed: [422, 'The registry may not contact an address of the domain, or the port of the URL.'],
  agent_card_invalid: [422, 'The domain serves no agent card; `detail` says what was found at each of the two places.'],
  domain_unreachable: [502, 'The domain does not exist, could not be connected to or did not answer in time.'],
  // universes
  clone_paired: [409, 'A clone and its live agent cannot be moved: promote the clone instead.'],
  already_in_universe: [409, 'The agent is already in the target universe.'],
  not_a_confirmed_pair: [403, 'The two agents are not a sandbox clone and its live agent, confirmed from both sides.'],
  // organisations
  org_name_taken: [409, 'Another organisation has this name; case makes no difference.'],
  sandbox_key_exists: [409, 'The organisation has a sandbox key: revoke it before another is issued.'],
  sandbox_key_absent: [404, 'The organisation has no sandbox key to revoke.'],
  organisation_not_found: [404, 'There is no organisation of this name or org_id.'],
  no_organisation_records: [404, 'The trust policy in force at that moment keeps no records of organisations.'],
  org_key_scope_missing: [
    403,
    'The named key of the organisation does not have the scope of the route: `detail` names it, and those that the key has.',
  ],
  org_key_not_found: [404, 'The organisation has no named key of this id or name in the universe of its key.'],
  org_key_name_taken: [409, 'A named key of this name works: replace or revoke it, or choose another name.'],
  org_key_limit_reached: [409, 'As many named keys of the organisation work as may: revoke one first.'],
  org_key_ended: [409, 'The named key was revoked or has expired: create another one.'],
  // proofs of domains
  domain_not_requested: [404, 'The organisation has not asked for a token for this domain.'],
  domain_proof_not_found: [409, "The organisation's token was not found at the domain; `detail` says what was found."],
  domain_proved_by_other: [409, 'Another organisation has proved the domain, and its token is still there.'],
  domain_not_proved: [404, 'Nobody has proved the domain.'],
  // keys of operators
  operator_key_not_found: [404, "There is no operator's key of this id or name."],
  operator_key_name_taken: [409, "An operator's key of this name works: revoke it first, or choose another name."],
  operator_key_limit_reached: [409, "As many operators' keys work as may: revoke one first."],
  invalid_sign_in_code: [
    400,
    'The sign-in code is unknown, expired or used, or its operator may no longer sign in; which of them is not disclosed.',
  ],
  // the demo of npm start
  demo_absent: [404, 'No `npm start` runs this registry, and nothing else plays the demo.'],
  demo_in_progress: [409, 'The demo is being played: one runs at a time.'],
  // webhooks
  webhook_not_found: [404, 'The organisation has no such webhook.'],
  webhook_limit_reached: [409, 'The organisation has reached the maximum number of webhooks: delete one first.'],
  webhook_url_not_allowed: [422, 'The host of the webhook has no address, or one that is not public.'],
  // replays of the read models
  replay_in_progress: [409, 'A replay of the read models is under way: one runs at a time.'],
  replay_not_found: [404, 'There is no replay of this id; only the newest are kept.'],
  replay_ended: [409, 'The replay has ended already: there is nothing to cancel.'],
  // exchanges
  no_endpoint: [422, 'The agent has no endpoint_url, so nothing can be sent to it.'],
  invalid_message: [422, "The message does not have the shape that the target's message_protocol requires."],
  call_already_made: [409, 'The call of this Idempotency-Key was made, and its answer cannot be repeated.'],
  downstream_failed: [502, 'The agent did not answer, not in time, or too much; the exchange is on record.'],
  target_unavailable: [502, 'The agent failed often lately, so nothing was sent and no exchange was made.'],
  target_busy: [429, 'The agent or its server has too many requests under way; nothing was sent, no exchange made.'],
  // reviews
  caller_trust_too_low: [403, 'Reviews count from a trust_score of 50, and the caller has less.'],
  same_org_domain: [403, 'Caller and receiver have the same org_domain or organisation.'],
  self_review: [403, 'An agent cannot review itself.'],
  no_unreviewed_exchange: [409, 'This caller has no ended, unreviewed exchange with this receiver.'],
  already_reviewed: [409, 'The exchange has already been reviewed.'],
  exchange_archived: [409, 'The exchange ended so long ago that it can no longer be reviewed.'],
  already_answered: [409, 'The review has already been answered: there is one answer to a review.'],
  review_not_found: [404, 'The agent has no review of that exchange that this caller can see.'],
  // the verifiable log
  not_in_log: [404, 'The signed tree of the log has no such event, size or tile.'],
  log_inconsistent: [503, 'The log differs from the one signed before: nothing is signed until it is restored.'],
  // trust policies
  trust_policy_active: [409, 'The trust policy is already in force.'],
  trust_policy_name_taken: [409, 'The name belongs to a trust policy with other constants: choose another.'],
  trust_policy_outdated: [409, 'Another trust policy was activated while the read models were built: start again.'],
  trust_policy_not_found: [404, 'There is no trust policy of this name: GET /ops/policies lists them.'],
  // trials and simulations of trust policies
  policy_job_in_progress: [
    409,
    'A trial, or a simulation, of a trust policy is under way: one of each runs at a time.',
  ],
  policy_job_not_found: [404, 'There is no trial or simulation of this id; only the newest are kept.'],
  policy_job_ended: [409, 'The trial or simulation has ended already: there is nothing to cancel.'],
  policy_job_not_done: [409, 'The trial is not done, so it has no agents to show; its state says why.'],
  policy_trial_agent_not_found: [404, 'The agent would not move, or is not one of those that the trial keeps.'],
  policy_attack_not_found: [404, 'There is no such attack, or the simulation has not run it yet.'],
  // the system
  read_model_behind: [503, 'The write stands, but readers may not see it yet: do not repeat it, read again soon.'],
  log_rolled_back: [
    503,
    'The event log is not the one of the read models, such as an older copy: no write is answered until the operator has settled it.',
  ],
  write_conflict: [503, 'Others kept writing to the same record; nothing was written, try again.'],
  overloaded: [503, 'Too many requests of this kind are under way; nothing was done, try again in a moment.'],
  unavailable: [503, 'A part of the service does not answer; `detail` says whether the request may have taken effect.'],
  internal: [500, 'A fault of the service; its log identifies it by the request_id.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof refusals;
export const errorCodes = Object.keys(refusals) as ErrorCode[];
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(refusals, value);
}
export function httpStatusOf(code: ErrorCode): number {
  return refusals[code][0];
}
export function meaningOf(code: ErrorCode): string {
  return refusals[code][1];
}

/** The body of every error answer. `extra` fields may follow (an unknown agent on /verify, for one). */
export const errorBody = z
  .object({
    detail: z
      .union([z.string(), z.array(validationItem)])
      .describe('What is wrong: a list of faults with the status 422, else words for a person.'),
    code: z
      .enum(errorCodes as [ErrorCode, ...ErrorCode[]])
      .describe('Which rule refused the request; the introduction explains each code.'),
    request_id: z.string().describe('The X-Request-Id of the answer.'),
  })
  .meta({ id: 'Error', description: 'The body of every refusal.' });

export type DomainErrorOptions = {
  /** Where in the request the fault is, for a code whose status is 422. */
  items?: ValidationItem[];
  /** A limit of the caller alone refuses this, or its own requests in the way of one another: nobody else is refused, so it is no failure of the service. */
  limitedBy?: 'caller' | undefined;
  cause?: unknown;
};

/** An expected refusal. The message names the thing, the value and the rule; it is shown to the client. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly items: ValidationItem[] | undefined;
  readonly limitedBy: 'caller' | undefined;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.items = options.items;
    this.limitedBy = options.limitedBy;
  }
}

/** The same words for an agent that does not exist and for one in another universe. */
export function agentNotFound(agentId: string): DomainError {
  return new DomainError('agent_not_found', `no agent ${JSON.stringify(agentId)} is registered in this universe`);
}

/** Nobody reaches a blocked agent or acts as it. */
export function agentBlocked(agentId: string, block: AgentBlock): DomainError {
  return block === 'suspended'
    ? new DomainError('agent_suspended', `agent ${JSON.stringify(agentId)} is suspended by the operator`)
    : new DomainError('agent_retired', `agent ${JSON.stringify(agentId)} is retired by its owner`);
}

/** The keys of a disabled organisation do nothing. */
export function organisationIsDisabled(orgName: string): DomainError {
  return new DomainError(
    'organisation_disabled',
    `organisation ${JSON.stringify(orgName)} is disabled by the operator`,
  );
}

/** A refusal whose fault lies at one place of the request body; every 422 has this form. */
export function faultAt(code: ErrorCode, loc: (string | number)[], message: string): DomainError {
  return new DomainError(code, message, {
    items: [{ loc, msg: message, type: code === 'validation_failed' ? 'value_error' : code }],
  });
}

export type RefusalData = { items?: ValidationItem[]; limitedBy?: 'caller' };

/** A refusal as it crosses the bus: the code, the words for the client, for a 422 where in the request the faults are, and whose limit it was. */
export function refusalOf(error: DomainError): { code: ErrorCode; detail: string; data?: RefusalData } {
  const { code, message: detail, items, limitedBy } = error;
  if (items === undefined && limitedBy === undefined) return { code, detail };
  return { code, detail, data: { ...(items && { items }), ...(limitedBy && { limitedBy }) } };
}
