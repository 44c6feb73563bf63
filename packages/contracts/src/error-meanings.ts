import type { ErrorCode, ValidationItem } from './errors.ts';

/** What a code tells a client, in one sentence, and the `detail` of one such refusal as it comes. */
export type ErrorMeaning = { meaning: string; detail: string | ValidationItem[] };

const at = (loc: (string | number)[], msg: string, type: string): ValidationItem[] => [{ loc, msg, type }];

/** What every code means. The one place that says so: the OpenAPI document and its pages are made from it. */
export const errorMeanings: Record<ErrorCode, ErrorMeaning> = {
  // the request itself
  malformed_request: {
    meaning: 'The request breaks HTTP, has no Host header, or was not sent to its end.',
    detail: 'the request breaks HTTP or was not sent to its end',
  },
  request_timeout: {
    meaning: 'The request was not sent in time.',
    detail: 'the request was not sent in time',
  },
  headers_too_large: {
    meaning: 'The request line and the headers together are larger than the service takes.',
    detail: 'the request line and headers are too large',
  },
  validation_failed: {
    meaning: 'Some fields do not have the shape that is asked for; `detail` names each of them.',
    detail: at(['body', 'agent_id'], 'is required', 'invalid_type'),
  },
  malformed_json: {
    meaning: 'The body is empty, is not UTF-8 or is not JSON.',
    detail: at(['body'], 'must be JSON', 'malformed_json'),
  },
  payload_too_large: {
    meaning: 'The body, or the answer to it, is larger than the service carries: send or ask for less.',
    detail: 'the body is larger than this endpoint takes',
  },
  unsupported_media_type: {
    meaning: 'The body is not application/json in UTF-8, or is compressed.',
    detail: 'the body must be application/json',
  },
  route_not_found: {
    meaning: 'There is nothing at this path.',
    detail: 'there is nothing at this path',
  },
  method_not_allowed: {
    meaning: 'The path is known, but not by this method; the Allow header names those that it has.',
    detail: 'GET is not allowed here; allowed: POST',
  },
  rate_limited: {
    meaning: 'More requests of this kind came than are allowed in their time: wait for Retry-After seconds.',
    detail: 'at most 5 requests in 60 seconds; try again in 37 s',
  },
  too_many_calls: {
    meaning:
      'As many calls or payments of this caller, or of all callers, as may be are under way: wait until one has ended.',
    detail: '64 calls of this agent are under way at this gateway; send this one when another has ended',
  },
  // credentials
  credential_required: {
    meaning: 'The operation needs a credential, and none was sent that it reads.',
    detail: "an organisation's key is required",
  },
  invalid_credential: {
    meaning: 'A bearer key or a signature was sent that is not valid, no longer valid, or of no use here.',
    detail: 'the credential in Authorization is not valid here',
  },
  invalid_api_key: {
    meaning: 'X-API-KEY is not the key of an organisation, or not the one of its two keys that the operation asks for.',
    detail: 'X-API-KEY is not the key of an organisation',
  },
  invalid_admin_key: {
    meaning: "X-Admin-Key is missing or is not the operator's.",
    detail: 'X-Admin-Key is missing or wrong',
  },
  browser_request_refused: {
    meaning: 'The request comes from a web page, where the key or token of the operator must never be.',
    detail: 'requests from a browser are refused: a proxy adds the key',
  },
  caller_mismatch: {
    meaning: 'The credential is that of another agent than the body or the query names as the caller.',
    detail: "caller_agent_id is 'acme-buyer', but the credential is that of 'globex-buyer'.",
  },
  not_owner: {
    meaning: 'The credential is valid, but not for this agent.',
    detail: 'agent "acme-quote-bot" may not be updated: the credential does not belong to it',
  },
  wrong_universe: {
    meaning: 'The agent is of this organisation, but in the universe of its other key.',
    detail: 'agent "acme-quote-bot" lives in production, this API key is for sandbox',
  },
  invalid_rotation_credential: {
    meaning:
      'The signature or the key is that of another agent or of an organisation that does not own this one, or the organisation key is unknown.',
    detail: 'the organisation of this API key does not own agent "acme-quote-bot"',
  },
  // agents
  agent_not_found: {
    meaning: 'No such agent is in the universe that the credential looks into.',
    detail: 'agent "nobody" is not registered',
  },
  agent_id_taken: {
    meaning: 'The agent_id is taken, in production or in some sandbox.',
    detail: 'agent_id "acme-quote-bot" is taken',
  },
  org_domain_taken: {
    meaning: 'The org_domain is held by another agent or another organisation.',
    detail: 'org_domain acme.example is held by another agent',
  },
  org_fields_forbidden: {
    meaning: 'org_name and org_domain may be set only with an organisation key or the admin token.',
    detail: "org_name may be set only with an organisation's X-API-KEY or the admin credential",
  },
  sandbox_key_required: {
    meaning: 'The operation, or a field of it, is only for the sandbox key of an organisation.',
    detail: "clone_from_agent_id needs an organisation's sandbox key in X-API-KEY",
  },
  contact_required: {
    meaning: 'An agent without organisation needs a contact_email or a public_key.',
    detail: at(
      ['body', 'contact_email'],
      'contact_email or public_key is required without an organisation key or the admin credential',
      'contact_required',
    ),
  },
  price_schedule_incomplete: {
    meaning: 'A price_schedule needs payment_network, payment_pay_to and payment_asset beside it.',
    detail: at(
      ['body', 'price_schedule'],
      'price_schedule needs payment_network, payment_pay_to and payment_asset; missing: payment_asset',
      'price_schedule_incomplete',
    ),
  },
  capability_weights_exceeded: {
    meaning: 'Too many capabilities of one weight: at most one of weight 3, two of weight 2 and three of weight 1.',
    detail: '2 capabilities have weight 3; at most 1 may (one of weight 3, two of weight 2, three of weight 1)',
  },
  invalid_public_key: {
    meaning: 'public_key is not the base64url of a sound Ed25519 public key of 32 bytes.',
    detail: 'public_key is not a valid Ed25519 public key: it must be 43 characters of unpadded base64url',
  },
  invalid_claim_token: {
    meaning: 'The claim token is unknown, expired or was used already; which of them is not told.',
    detail: 'the claim token is not valid: it is unknown, expired or was used already',
  },
  contact_email_missing: {
    meaning: 'Without a credential a key is only handed out by way of a contact_email, and the agent has none.',
    detail:
      'agent "acme-quote-bot" has no contact_email on file; rotate with a signature, its organisation\'s key or the admin credential',
  },
  already_paired: {
    meaning: 'The live agent has a clone already; a pair is for ever.',
    detail: 'agent "acme-quote-bot" is paired with "acme-quote-draft" already; if that registration failed, repeat it',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was sent with another body before: use a new one for another request.',
    detail: at(
      ['header', 'idempotency-key'],
      'was sent with another body before; use a new key for another request',
      'idempotency_key_reused',
    ),
  },
  idempotency_key_in_use: {
    meaning: 'The request that this Idempotency-Key came with first is still being carried out: repeat it later.',
    detail: 'the request that this key was sent with first is still being carried out',
  },
  // agent cards
  invalid_domain: {
    meaning: 'What was given is no domain, and no http or https URL.',
    detail: at(['body', 'domain_url'], 'must be a domain, or an http or https URL', 'invalid_domain'),
  },
  domain_not_allowed: {
    meaning: 'The domain has an address, or the URL a port, that the registry may not contact.',
    detail: at(
      ['body', 'domain_url'],
      'must be a domain with public addresses, and a port that is not reserved for something else',
      'domain_not_allowed',
    ),
  },
  agent_card_invalid: {
    meaning: 'The domain serves no agent card; `detail` says what was found at each of the two places.',
    detail: at(
      ['body', 'domain_url'],
      'the domain serves no agent card (/.well-known/agent-card.json: status 404; /.well-known/agent.json: it has no name)',
      'agent_card_invalid',
    ),
  },
  domain_unreachable: {
    meaning: 'The domain does not exist, could not be connected to or did not answer in time.',
    detail: 'the domain did not answer in time',
  },
  // universes
  clone_paired: {
    meaning: 'A clone and its live agent are not moved: promote the clone instead.',
    detail:
      'agent "acme-quote-draft" is paired with "acme-quote-bot" and cannot move; POST /sandbox/promote copies the draft\'s configuration to the live agent',
  },
  already_in_universe: {
    meaning: 'The agent is already where it was to be moved.',
    detail: 'agent "acme-quote-bot" is in production already',
  },
  not_a_confirmed_pair: {
    meaning: 'The two agents are not a sandbox clone and its live agent, confirmed from both sides.',
    detail:
      'agents "acme-quote-draft" and "acme-other-bot" are not a confirmed pair of a sandbox clone and its live agent',
  },
  // organisations
  org_name_taken: {
    meaning: 'Another organisation has this name; case makes no difference.',
    detail: 'org_name "Acme" is taken',
  },
  sandbox_key_exists: {
    meaning: 'The organisation has a sandbox key: revoke it before another is issued.',
    detail: 'organisation "Acme" has a sandbox key already; it must be revoked before another is issued',
  },
  sandbox_key_absent: {
    meaning: 'The organisation has no sandbox key to revoke.',
    detail: 'organisation "Acme" has no sandbox key',
  },
  // webhooks
  webhook_not_found: {
    meaning: 'The organisation has no such webhook.',
    detail: 'the organisation has no webhook of this id',
  },
  webhook_limit_reached: {
    meaning: 'The organisation has as many webhooks as one may have: delete one first.',
    detail: 'the organisation has 10 webhooks and may have 10; one must be deleted first',
  },
  webhook_url_not_allowed: {
    meaning: 'The address of the webhook is not public, or its name has no address: nothing is sent there.',
    detail: at(
      ['body', 'url'],
      'the target address is not one that may be contacted (private_address)',
      'webhook_url_not_allowed',
    ),
  },
  // exchanges
  no_endpoint: {
    meaning: 'The agent has no endpoint_url, so that nothing can be sent to it.',
    detail: at(['body', 'agent_id'], "Agent 'acme-quote-bot' has no endpoint to call.", 'no_endpoint'),
  },
  invalid_message: {
    meaning: 'The message does not have the shape that the target takes by its message_protocol.',
    detail: at(['body', 'message', 'params', 'message', 'parts'], 'is required', 'invalid_type'),
  },
  call_already_made: {
    meaning: 'The call of this Idempotency-Key was made, and its answer is not there to be told again.',
    detail:
      'The call that this key was sent with first was made and answered with status 200. Its answer is not kept, and it is not made again.',
  },
  downstream_failed: {
    meaning:
      'The agent could not be reached, did not answer in time, or answered more than is carried; the exchange is on record.',
    detail: 'The agent could not be reached.',
  },
  target_unavailable: {
    meaning: 'The agent failed so often lately that it is not tried now; nothing was sent and no exchange made.',
    detail: 'The agent has not answered for a while, and is not tried again yet; nothing was sent.',
  },
  target_busy: {
    meaning:
      'The agent, or its server, has as many requests under way, or had in a second, as it gets; nothing was sent and no exchange made.',
    detail: 'You have as many requests under way at the agent as one caller gets; nothing was sent.',
  },
  // reviews
  caller_trust_too_low: {
    meaning: 'Reviews count from agents with a trust_score of 50 or more, and the caller has less.',
    detail: 'a reviewer needs a trust_score of at least 50; the caller has 40',
  },
  same_org_domain: {
    meaning: 'Caller and receiver have the same org_domain or organisation.',
    detail: 'caller and receiver share the org_domain acme.example',
  },
  self_review: {
    meaning: 'An agent cannot review itself.',
    detail: 'agent "acme-buyer" cannot review itself',
  },
  no_unreviewed_exchange: {
    meaning: 'There is no ended and unreviewed exchange of this caller with this receiver.',
    detail: 'there is no unreviewed exchange of "acme-buyer" with "globex-translator"',
  },
  already_reviewed: {
    meaning: 'The exchange was reviewed already; each one is once.',
    detail: 'exchange "0199c2f4-7a51-7c3e-9c0b-5d1f2e3a4b5c" was reviewed already',
  },
  review_not_found: {
    meaning: 'The agent has no review of that exchange that could be seen from here.',
    detail: 'agent "globex-translator" has no review of exchange "0199c2f4-7a51-7c3e-9c0b-5d1f2e3a4b5c"',
  },
  // the verifiable log
  not_in_log: {
    meaning: 'The signed tree of the log has no such event, size or tile.',
    detail: 'the signed tree has 1042 leaves; there is no leaf 1042',
  },
  log_inconsistent: {
    meaning: 'The log is not the one that was signed before, so nothing is signed; its operators must restore it.',
    detail: 'The log no longer holds the event at position 1042; nothing is signed until the log is as it was.',
  },
  // trust policies
  trust_policy_active: {
    meaning: 'The trust policy is in force already.',
    detail: 'trust policy "strict-2026" is in force already',
  },
  trust_policy_name_taken: {
    meaning: 'The name of the trust policy stands for other constants, and for ever: choose another.',
    detail: 'the name "strict-2026" belongs to a policy with other constants; choose another name',
  },
  trust_policy_outdated: {
    meaning: 'Another trust policy was activated while the read models were built for this one: begin again.',
    detail: 'another trust policy was activated meanwhile: "strict-2026" is in force',
  },
  // the system
  read_model_behind: {
    meaning: 'The write stands, but readers may not see it yet: do not repeat it, read again in a moment.',
    detail: 'the write is durable and stands, but readers may not see it yet: do not repeat it, read again in a moment',
  },
  write_conflict: {
    meaning: 'Others kept writing to the same thing; nothing was written, try again.',
    detail: 'Too many writes to the same record at once; nothing was written. Try again.',
  },
  overloaded: {
    meaning:
      'As many requests of this kind as the service takes are under way; nothing was done, try again in a moment.',
    detail: 'as many requests of this kind as the service takes are running; nothing was done, try again in a moment',
  },
  unavailable: {
    meaning: 'A part of the service does not answer; `detail` says whether the request may have taken effect.',
    detail: 'a part of the service cannot be reached; nothing was done, try again',
  },
  internal: {
    meaning: 'A fault of the service, which its log knows by the request_id.',
    detail: 'an unexpected error; the request id finds it in the log',
  },
};
