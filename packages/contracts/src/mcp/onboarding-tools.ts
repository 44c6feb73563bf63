import { z } from 'zod';
import { redeemClaimRoute, registerRoute, requestRotationRoute, retireRoute } from '../agent/routes.ts';
import { updateRoute } from '../agent/update-route.ts';
import { limits } from '../limits.ts';
import { nullableText, text } from '../text.ts';
import {
  hints,
  idempotencyArgument,
  idempotencyHeaders,
  type OwnTool,
  type RouteTool,
  type ToolArguments,
} from './tool.ts';

/** Tools of registration: register, update, and the agent's key. */

export const registerAgentTool: RouteTool = {
  kind: 'route',
  name: 'register_agent',
  title: 'Register an agent',
  description:
    'Registers a new agent. Only agent_id is required, with contact_email or public_key where the connection has no organisation key. To be found and called by others it needs capabilities and endpoint_url. ' +
    'The answer has a claim_link in place of a key: give it to claim_bearer_key at once. Without an organisation an agent starts at trust_score 40, with one (X-API-KEY on the connection) verified at 75. ' +
    'A result with status capability_confirmation_required wrote nothing: repeat the same arguments with capability_confirmations {name: true or false} and the candidate_matches from there. ' +
    "Refusals: agent_id_taken (choose another id; if it is yours, rotate_agent_key), org_fields_forbidden (org_name and org_domain need the organisation's key), contact_required, " +
    'capability_weights_exceeded (one of weight 3, two of 2, three of 1 at most). protocol_reference explains register_advanced_fields and capability_confirmation.',
  hints: hints.adds,
  route: registerRoute,
  headers: idempotencyHeaders,
  extra: z.object(idempotencyArgument),
};

export const rotateAgentKeyTool: RouteTool = {
  kind: 'route',
  name: 'rotate_agent_key',
  title: 'Request a new agent key',
  description:
    'Requests a new bearer key of an agent whose key is lost, may be known to others, or was never claimed. The answer has a claim_link: give it to claim_bearer_key for the key; until then the old key works. ' +
    "With status claim_sent the link went to the agent's contact_email and claim_link is null: its reader has to redeem it. " +
    "The credential is the connection's: the agent's own key, the key of the organisation that owns it, or none where the agent has a contact_email. " +
    "Refusals: contact_email_missing (send the organisation's key, or sign the request over HTTP: protocol_reference ed25519_key_setup), " +
    "invalid_rotation_credential (the key on the connection is not this agent's or its organisation's), rate_limited (5 a minute).",
  hints: hints.adds,
  route: requestRotationRoute,
};

/** The claim token of a link. */
const tokenOfLink = ({ claim_link: link, ...rest }: ToolArguments): ToolArguments => {
  if (typeof link !== 'string' || rest['token'] !== undefined) return rest;
  const token = URL.canParse(link) ? new URL(link).searchParams.get('token') : null;
  return { ...rest, token: token ?? '' };
};

export const claimBearerKeyTool: RouteTool = {
  kind: 'route',
  name: 'claim_bearer_key',
  title: 'Redeem a claim link for the key',
  description:
    "Redeems the claim_link of register_agent or rotate_agent_key for the agent's bearer key; give claim_link, or its token alone. The key is shown this once, so keep it where secrets are kept; " +
    'any earlier key of the agent stops working now. Then set_agent_key for this session, or connect with it in Authorization. ' +
    'A refusal invalid_claim_token means that the link is unknown, expired or used: get a new one with rotate_agent_key.',
  hints: hints.ends,
  route: redeemClaimRoute,
  extra: z.object({
    claim_link: text(limits.endpointUrlCharsMax, 1)
      .refine((link) => URL.canParse(link) && new URL(link).searchParams.has('token'), {
        message: 'must be a claim link, a URL with a token in its query',
      })
      .optional()
      .meta({ format: 'uri', description: 'The whole link, in place of token. The link itself is not followed.' }),
  }),
  replaceable: ['token'],
  toRoute: tokenOfLink,
};

export const setAgentKeyTool: OwnTool = {
  kind: 'own',
  name: 'set_agent_key',
  title: 'Act as an agent in this session',
  description:
    'Makes this session act as the agent whose bearer key you give, from the next tool call on: call_agent, review_transaction, update_agent and rotate_agent_key then need no other credential. ' +
    'Use it after claim_bearer_key, or if you have a key and cannot put it on the connection as Authorization: Bearer <AGENT_KEY>, which is better. The key applies to this session alone, ' +
    'replaces Authorization, and is dropped with the session. null removes it. ' +
    "A refusal invalid_credential means that the key is not valid any more: get a new one with rotate_agent_key. Call it again after the agent's key was replaced.",
  hints: hints.addsOnce,
  input: z.object({
    agent_key: nullableText.describe('The bearer key, registry-agent-sk-…; null or the empty text removes it.'),
  }),
  output: z.object({
    status: z.enum(['set', 'cleared']).describe('Whether this session has a key.'),
    message: z.string().describe('What applies from now on.'),
  }),
  errors: ['validation_failed', 'invalid_credential', 'unavailable'],
};

export const updateAgentTool: RouteTool = {
  kind: 'route',
  name: 'update_agent',
  title: 'Update an agent',
  description:
    'Changes fields of a registered agent; only given fields are written, null clears one. A list replaces the former list, so give it in full: use get_agent first. ' +
    "It needs the agent's own key (on the connection or by set_agent_key) or the key of its organisation (X-API-KEY). " +
    'A result with status capability_confirmation_required wrote nothing: repeat the same arguments with capability_confirmations and candidate_matches. ' +
    "Refusals: not_owner (the key is not this agent's), org_fields_forbidden (org_name and org_domain need the organisation's key), price_schedule_incomplete (payment_network, payment_pay_to and " +
    'payment_asset belong to a price_schedule), invalid_public_key. protocol_reference explains update_advanced_fields.',
  hints: hints.replaces,
  route: updateRoute,
  headers: idempotencyHeaders,
  extra: z.object(idempotencyArgument),
};

export const retireAgentTool: RouteTool = {
  kind: 'route',
  name: 'retire_agent',
  title: 'Retire an agent for good',
  description:
    'Takes an agent out of service for good: it is shown as retired with a trust_score of 0, nobody can find, call or pay it, and nobody can act as it. Its agent_id stays taken. ' +
    "It cannot be undone, so ask your user first. It needs the agent's own key (on the connection or by set_agent_key) or the key of its organisation (X-API-KEY). " +
    "Refusals: not_owner (the key is not this agent's), agent_retired (it is retired already), agent_suspended (the operator has suspended it).",
  hints: hints.ends,
  route: retireRoute,
};
