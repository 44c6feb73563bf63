import { z } from 'zod';
import { capabilityName } from '../capability/name.ts';
import { capabilityConfirmationRequired } from '../capability/wire.ts';
import { errorBody } from '../errors.ts';
import { idempotencyErrors, idempotencyHeader } from '../http/idempotency-header.ts';
import { pageHeaders, queryInteger } from '../http/query-integer.ts';
import { route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import { messageProtocol, orgName, settlementRails } from './fields.ts';
import { registerBody } from './wire-input.ts';
import { agentProfile, matchResult, ownerTrustObject, trustObject } from './wire-output.ts';

const scopeHeader = { 'X-API-KEY': 'An org sandbox key looks in that sandbox instead of production.' };

/** What /verify says of an agent that nobody registered: an error and a verdict in one. */
export const unregisteredVerdict = errorBody
  .extend({
    agent_id: z.string(),
    verified: z.literal(false),
    trust_score: z.literal(0),
    flags: z.tuple([z.literal('unregistered')]),
    recommended_action: z.literal('block'),
  })
  .meta({ id: 'UnregisteredVerdict' });

export const verifyRoute = route({
  method: 'POST',
  path: '/verify',
  operationId: 'verify',
  summary: 'How far an agent can be trusted',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  headers: scopeHeader,
  body: z.object({ agent_id: agentId }),
  answers: { 200: { description: 'The trust object of the agent.', body: trustObject } },
  errorBodies: { 404: unregisteredVerdict },
  errors: ['validation_failed', 'invalid_api_key', 'agent_not_found', 'not_implemented'],
});

export const matchRoute = route({
  method: 'POST',
  path: '/match',
  operationId: 'match',
  summary: 'Find agents by capability, settlement rail, organisation or message protocol',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  headers: scopeHeader,
  body: z
    .object({
      required_capabilities: z.array(capabilityName).max(limits.listEntriesMax).nullable().optional(),
      settlement_rail: settlementRails.nullable().optional(),
      org_name: orgName.nullable().optional(),
      message_protocol: messageProtocol.nullable().optional(),
      limit: z.int().min(1).max(limits.matchPageMax).default(limits.matchPageDefault),
    })
    .refine(
      (body) =>
        body.required_capabilities != null ||
        body.settlement_rail != null ||
        body.org_name != null ||
        body.message_protocol != null,
      {
        message:
          'at least one of required_capabilities, settlement_rail, org_name and message_protocol must be present',
      },
    )
    .meta({ id: 'MatchRequest' }),
  answers: { 200: { description: 'Matching agents, best first.', body: z.array(matchResult) } },
  errors: ['validation_failed', 'invalid_api_key'],
});

export const registryRoute = route({
  method: 'GET',
  path: '/registry',
  operationId: 'listRegistry',
  summary: 'All routable agents, most trusted first',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  headers: scopeHeader,
  query: z.object({
    limit: queryInteger(1, limits.registryPageMax, limits.registryPageDefault),
    offset: queryInteger(0, limits.registryOffsetMax, 0),
    min_trust_score: queryInteger(0, 100, 0),
  }),
  answers: {
    200: {
      description: 'One page of agents.',
      body: z.array(trustObject),
      headers: pageHeaders,
    },
  },
  errors: ['validation_failed', 'invalid_api_key'],
});

export const agentRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}',
  operationId: 'getAgent',
  summary: 'Profile of an agent with the ratings it received',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  headers: scopeHeader,
  params: z.object({ agent_id: agentId }),
  answers: { 200: { description: 'The agent profile.', body: agentProfile } },
  errors: ['validation_failed', 'invalid_api_key', 'agent_not_found', 'not_implemented'],
});

export const registerResponse = ownerTrustObject
  .extend({
    status: z.literal('registered'),
    agent_key: z.null(),
    claim_link: z.string(),
    registered_at: z.string(),
  })
  .meta({ id: 'RegisterResponse' });

export const registerRoute = route({
  method: 'POST',
  path: '/register',
  operationId: 'registerAgent',
  summary: 'Register an agent',
  description:
    'The bearer key is not returned here: redeem claim_link with GET /rotate. With both an organisation key and the admin token both are ' +
    "checked, and the organisation's decides whose the agent is and where it lives. A capability that is close to a canonical one, without " +
    'being one or an alias, is asked about first (202): repeat the request with the answers, those of earlier questions included.',
  tag: 'Agents',
  credentials: ['none', 'organisation', 'admin_token'],
  headers: idempotencyHeader,
  secret: true,
  body: registerBody,
  answers: {
    201: { description: 'Registered.', body: registerResponse },
    202: { description: 'A question about capabilities; nothing was written.', body: capabilityConfirmationRequired },
  },
  errors: [
    'validation_failed',
    'invalid_api_key',
    'invalid_credential',
    'org_fields_forbidden',
    'sandbox_key_required',
    'agent_not_found',
    'already_paired',
    'contact_required',
    'capability_weights_exceeded',
    'invalid_public_key',
    'price_schedule_incomplete',
    'agent_id_taken',
    'org_domain_taken',
    ...idempotencyErrors,
    'write_conflict',
    'rate_limited',
    'read_model_behind',
  ],
});

export const rotateResponse = z
  .object({
    agent_id: z.string(),
    status: z.enum(['rotated', 'claim_issued', 'claim_sent']),
    agent_key: z.string().nullable(),
    claim_link: z.string().nullable(),
  })
  .meta({ id: 'RotateResponse' });

export const requestRotationRoute = route({
  method: 'POST',
  path: '/rotate',
  operationId: 'requestRotation',
  summary: 'Ask for a new bearer key',
  description:
    'A signature of the agent is answered with the new key at once (`rotated`), and decides alone whatever else is sent. Anything else is ' +
    'answered with a single-use claim link. Without a credential the link goes to the contact_email instead (`claim_sent`), where the ' +
    'registry is set so. At most 5 requests a minute for an address and for an agent.',
  tag: 'Agents',
  credentials: ['none', 'agent', 'signature', 'organisation', 'admin_token'],
  secret: true,
  body: z.object({ agent_id: agentId }),
  answers: { 200: { description: 'The new key, or a claim link for one.', body: rotateResponse } },
  errors: [
    'validation_failed',
    'invalid_credential',
    'agent_not_found',
    'invalid_rotation_credential',
    'wrong_universe',
    'contact_email_missing',
    'rate_limited',
    'write_conflict',
    'read_model_behind',
  ],
});

export const redeemClaimRoute = route({
  method: 'GET',
  path: '/rotate',
  operationId: 'redeemClaim',
  summary: 'Redeem a claim token for a bearer key',
  description:
    'The key is shown once. From this moment the previous key fails. HEAD is not allowed, so no prefetch redeems a link.',
  tag: 'Agents',
  credentials: ['none'],
  secret: true,
  withoutHead: true,
  query: z.object({ token: text(limits.claimTokenCharsMax, 1) }),
  answers: {
    200: {
      description: 'The new bearer key.',
      body: rotateResponse,
    },
  },
  errors: ['validation_failed', 'invalid_claim_token', 'write_conflict', 'read_model_behind'],
});
