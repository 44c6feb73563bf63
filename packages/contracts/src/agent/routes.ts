import { z } from 'zod';
import { capabilityName } from '../capability/name.ts';
import { capabilityConfirmationRequired, confirmationExamples } from '../capability/wire.ts';
import { agentNotFound, errorBody } from '../errors.ts';
import { idempotencyHeader, ifNoneMatch, liveCacheHeaders } from '../http/headers.ts';
import { issuedAnyway } from './update-route.ts';
import { pageHeaders, queryInteger, queryOffset } from '../http/query-integer.ts';
import { commandErrors, answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, agentIdPrefix, moment, nullableText, text } from '../text.ts';
import {
  exampleAgentKey,
  exampleClaimLink,
  exampleIds,
  exampleMatch,
  exampleNewcomer,
  exampleProfile,
  exampleTrustObject,
} from './examples.ts';
import { fieldTexts } from './field-texts.ts';
import { messageProtocol, orgName, settlementRails } from './fields.ts';
import { exampleVerdict } from '../transparency/examples.ts';
import { archivedToHeader, asOfQuery } from '../trust/as-of.ts';
import { registerBody } from './wire-input.ts';
import { agentProfile, matchResult, ownerTrustObject, trustObject } from './wire-output.ts';
import { agentWhoamiRoute } from './whoami-route.ts';

const unregisteredAgent = z
  .object({
    agent_id: z.string().describe('The agent_id of the request.'),
    verified: z.literal(false).describe(fieldTexts.verified),
    trust_score: z.literal(0).describe('Nothing is known about it.'),
    flags: z.tuple([z.literal('unregistered')]).describe(fieldTexts.flags),
    recommended_action: z.literal('block').describe(fieldTexts.recommended_action),
  })
  .meta({ id: 'UnregisteredAgent', description: 'The verdict on an agent_id that is not registered.' });

/** The verdict on an agent that is not registered. */
export function unregistered(agentId: string): z.infer<typeof unregisteredAgent> {
  return { agent_id: agentId, verified: false, trust_score: 0, flags: ['unregistered'], recommended_action: 'block' };
}

export const unregisteredVerdict = errorBody
  .extend(unregisteredAgent.shape)
  .meta({ id: 'UnregisteredVerdict', description: 'An error and a verdict in one: the agent is not registered.' });

export const verifiedTrustObject = trustObject
  .extend({
    signed_verdict: z
      .string()
      .optional()
      .describe(
        'Only with signed=true: a compact JWS (EdDSA, by the key of /log/key) over agent_id, universe, trust_score, trust_policy, recommended_action, ' +
          'position, iat and log {origin, size, root}.',
      ),
  })
  .meta({
    id: 'VerifiedTrustObject',
    description: "A trust object with the registry's signature, if it was requested.",
  });

const verifyRequest = z.object({ agent_id: agentId }).meta({ id: 'VerifyRequest', description: 'The agent to check.' });

export const verifyRoute = route({
  method: 'POST',
  path: '/verify',
  countsAs: 'reads',
  operationId: 'verify',
  summary: 'How far an agent can be trusted',
  description:
    'Check an agent before you deal with it: recommended_action says what to do. No registration is needed. For an unregistered agent the ' +
    'answer is a 404 with the verdict block.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  query: z.object({
    as_of: asOfQuery,
    signed: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        "true: the answer has a signed_verdict, which others can verify with the log's key; it waits until the newest tree is signed.",
      ),
  }),
  body: verifyRequest,
  bodyExamples: { agent: { summary: 'One agent', value: { agent_id: exampleIds.translator } } },
  answers: {
    200: {
      description: 'The trust object of the agent.',
      body: verifiedTrustObject,
      headers: archivedToHeader,
      examples: {
        trusted: { summary: 'An agent to proceed with', value: exampleTrustObject },
        signed: { summary: 'With a signature', value: { ...exampleTrustObject, signed_verdict: exampleVerdict } },
      },
    },
  },
  errorBodies: { 404: unregisteredVerdict },
  errorExamples: {
    agent_not_found: { detail: agentNotFound('nobody').message, ...unregistered('nobody') },
  },
  errors: ['agent_not_found', 'read_model_behind', 'log_inconsistent'],
});

export const verifyBatchRoute = route({
  method: 'POST',
  path: '/verify/batch',
  countsAs: 'reads',
  operationId: 'verifyBatch',
  summary: 'How far many agents can be trusted',
  description:
    'One answer for each agent_id, in the order of the request: the trust object as POST /verify answers it, or the verdict block for an ' +
    'agent that is not registered. Check recommended_action of each.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  body: z
    .object({ agent_ids: z.array(agentId).min(1).max(limits.verifyBatchMax).describe('The agents to check.') })
    .meta({ id: 'VerifyBatchRequest', description: 'The agents to check.' }),
  bodyExamples: { agents: { summary: 'Two agents', value: { agent_ids: [exampleIds.translator, 'nobody'] } } },
  answers: {
    200: answer('One verdict for each agent_id, in order.', z.array(z.union([trustObject, unregisteredAgent])), [
      exampleTrustObject,
      unregistered('nobody'),
    ]),
  },
});

export const matchRoute = route({
  method: 'POST',
  path: '/match',
  countsAs: 'reads',
  operationId: 'match',
  summary: 'Find agents by capability, settlement rail, organisation, message protocol or liveness',
  description:
    'An agent must satisfy every filter that is present; at least one is required. The same name, another name of the same capability, or a ' +
    'name with nearly the same meaning meets a capability. Only agents with an endpoint are found, whatever their trust_score: check ' +
    'recommended_action. Sorted by match_score, then trust_score.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  body: z
    .object({
      required_capabilities: z
        .array(capabilityName)
        .max(limits.listEntriesMax)
        .nullish()
        .describe('The agent must have at least one of these; any spelling of the names.'),
      settlement_rail: settlementRails
        .nullish()
        .describe('The agent must accept one of these rails. A single rail may be a bare string.'),
      org_name: orgName.nullish().describe("The name of the agent's organisation, exact but for case."),
      message_protocol: messageProtocol.nullish().describe('The messages that the agent must accept.'),
      live: z
        .boolean()
        .nullish()
        .describe('true: only agents that answer calls, as `live` of their liveness has it. false is no filter.'),
      limit: z
        .int()
        .min(1)
        .max(limits.matchPageMax)
        .default(limits.matchPageDefault)
        .describe('At most this many agents, the best ones.'),
    })
    .refine(
      (body) =>
        body.required_capabilities != null ||
        body.settlement_rail != null ||
        body.org_name != null ||
        body.message_protocol != null ||
        body.live === true,
      {
        message:
          'at least one of required_capabilities, settlement_rail, org_name, message_protocol and live must be present',
      },
    )
    .meta({ id: 'MatchRequest', description: 'What to look for: at least one filter.' }),
  bodyExamples: {
    capability: {
      summary: 'Translators that accept x402',
      value: { required_capabilities: ['translation'], settlement_rail: ['x402'], limit: 5 },
    },
    live: { summary: 'Translators that answer', value: { required_capabilities: ['translation'], live: true } },
    organisation: { summary: "One organisation's agents", value: { org_name: 'Globex' } },
  },
  answers: {
    200: {
      description: 'Matching agents, best first.',
      body: z.array(matchResult),
      examples: {
        found: { summary: 'One match', value: [exampleMatch] },
        nobody: { summary: 'No match', value: [] },
      },
    },
  },
  errorExamples: {
    validation_failed: {
      detail: [
        {
          loc: ['body'],
          msg: 'at least one of required_capabilities, settlement_rail, org_name, message_protocol and live must be present',
          type: 'value_error',
        },
      ],
    },
  },
});

const unchanged = {
  description: 'The answer of If-None-Match is still current.',
  body: null,
  headers: liveCacheHeaders,
};

export const registryRoute = route({
  method: 'GET',
  path: '/registry',
  operationId: 'listRegistry',
  summary: 'All routable agents, most trusted first',
  description:
    'Every agent with an endpoint, whatever its trust_score, sorted by trust_score and then agent_id; min_trust_score leaves out the rest. ' +
    'With agent_id_prefix only those whose agent_id begins so. In pages: follow the Link header.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  query: z.object({
    limit: queryInteger(1, limits.registryPageMax, limits.registryPageDefault, 'Agents on the page.'),
    offset: queryOffset(limits.registryOffsetMax),
    min_trust_score: queryInteger(0, 100, 0, 'Leaves out agents with a lower trust_score.'),
    agent_id_prefix: agentIdPrefix
      .optional()
      .describe(
        `Only agents whose agent_id begins with this text, in which no character stands for others; capital and small letters A to Z are the same. ` +
          `At most ${limits.registryNamedMax} are listed, the most trusted: X-Total-Count says no more.`,
      )
      .meta({ examples: ['acme-'] }),
  }),
  headers: ifNoneMatch,
  answers: {
    200: answer('One page of agents.', z.array(trustObject), [exampleTrustObject], {
      headers: { ...pageHeaders, ...liveCacheHeaders },
    }),
    304: { ...unchanged, headers: { ...pageHeaders, ...liveCacheHeaders } },
  },
});

export const agentRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}',
  operationId: 'getAgent',
  summary: 'Profile of an agent with the ratings it received',
  description:
    'The trust object with contact, dates and the newest ratings. Percent-encode ids with other characters than letters and digits.',
  tag: 'Discover',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  params: z.object({ agent_id: agentId }),
  query: z.object({ as_of: asOfQuery }),
  headers: ifNoneMatch,
  answers: {
    200: answer('The agent profile.', agentProfile, exampleProfile, {
      headers: { ...liveCacheHeaders, ...archivedToHeader },
    }),
    304: unchanged,
  },
  errors: ['agent_not_found', 'read_model_behind'],
});

export const registerResponse = ownerTrustObject
  .extend({
    status: z.literal('registered').describe('The agent is registered.'),
    agent_key: z.null().describe('Always null: redeem claim_link for the key.'),
    claim_link: z.string().describe('A GET of this link answers once with the bearer key.'),
    registered_at: z.string().describe(fieldTexts.registered_at),
  })
  .meta({ id: 'RegisterResponse', description: 'The new agent as its owner sees it, and the link to its key.' });

export const registerRoute = route({
  method: 'POST',
  path: '/register',
  countsAs: 'registrations',
  operationId: 'registerAgent',
  summary: 'Register an agent',
  description:
    'The bearer key is not returned here: redeem claim_link with GET /rotate. If an organisation key and the admin token are both sent, both ' +
    "are checked and the organisation's decides the owner and the universe. If a capability is close to a canonical one, but neither it nor " +
    'an alias, the answer is a question (202): repeat the request with all answers so far.',
  tag: 'Agents',
  credentials: ['none', 'organisation', 'admin_token', 'operator'],
  organisationScope: 'register',
  closedBy: 'OPEN_REGISTRATION',
  operatorRole: 'admin',
  severalCredentials: 'check_all',
  headers: idempotencyHeader,
  secret: true,
  body: registerBody,
  bodyExamples: {
    small: {
      summary: 'A buyer without an organisation',
      value: { agent_id: exampleIds.buyer, contact_email: 'agents@acme.example', capabilities: ['procurement'] },
    },
    seller: {
      summary: "An organisation's seller, paid by x402; with X-API-KEY",
      value: {
        agent_id: exampleIds.translator,
        org_domain: 'globex.example',
        capabilities: [{ name: 'machine_translation', weight: 3 }, 'proofreading'],
        endpoint_url: 'https://agents.globex.example/a2a',
        a2a_compliant: true,
        settlement_rail: ['x402'],
        price_schedule: [{ task: 'page', price: 0.05 }],
        payment_network: 'base',
        payment_pay_to: '0x1111111111111111111111111111111111111111',
        payment_asset: 'USDC',
      },
    },
    keyed: {
      summary: 'Without a mailbox: a signed POST /rotate returns the key',
      value: { agent_id: exampleIds.buyer, public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
  },
  answers: {
    201: answer('Registered.', registerResponse, {
      ...exampleNewcomer,
      status: 'registered',
      agent_key: null,
      claim_link: exampleClaimLink,
      registered_at: exampleNewcomer.last_active,
    }),
    202: {
      description: 'A question about capabilities; nothing was written.',
      body: capabilityConfirmationRequired,
      examples: confirmationExamples,
    },
  },
  errorBodies: { 503: issuedAnyway },
  errors: [
    'org_fields_forbidden',
    'sandbox_key_required',
    'agent_not_found',
    'agent_suspended',
    'agent_retired',
    'already_paired',
    'contact_required',
    'capability_weights_exceeded',
    'invalid_public_key',
    'price_schedule_incomplete',
    'agent_id_taken',
    'org_domain_taken',
    'rate_limited',
    ...commandErrors,
  ],
});

export const rotateResponse = z
  .object({
    agent_id: z.string().describe('The agent of the key.'),
    status: z
      .enum(['rotated', 'claim_issued', 'claim_sent'])
      .describe('The answer has the key, it has the link, or the link goes to the contact_email.'),
    agent_key: nullableText.describe('The new bearer key, shown once; with rotated.'),
    claim_link: nullableText.describe('Redeem it for the key, once; with claim_issued.'),
  })
  .meta({ id: 'RotateResponse', description: 'A new bearer key, or the way to it.' });

const rotateRequest = z
  .object({ agent_id: agentId })
  .meta({ id: 'RotateRequest', description: 'The agent whose key to change.' });

const exampleRotated = {
  agent_id: exampleIds.buyer,
  status: 'rotated',
  agent_key: exampleAgentKey,
  claim_link: null,
};

export const requestRotationRoute = route({
  method: 'POST',
  path: '/rotate',
  operationId: 'requestRotation',
  summary: 'Ask for a new bearer key',
  description:
    'With a signature of the agent the answer has the new key at once (`rotated`), and other credentials are ignored. Otherwise the answer ' +
    'has a single-use claim link; without a credential the link goes to the contact_email instead (`claim_sent`), if the registry is ' +
    'configured so. At most 5 requests a minute for each address and each agent.',
  tag: 'Agents',
  credentials: ['none', 'agent', 'signature', 'organisation', 'admin_token', 'operator'],
  organisationScope: 'register',
  closedBy: 'claims_in_answers',
  operatorRole: 'admin',
  severalCredentials: 'signature_decides',
  badApiKey: 'invalid_rotation_credential',
  secret: true,
  body: rotateRequest,
  bodyExamples: { agent: { summary: 'One agent', value: { agent_id: exampleIds.buyer } } },
  answers: {
    200: {
      description: 'The new key, or a claim link for one.',
      body: rotateResponse,
      examples: {
        signed: { summary: 'For a signed request: the key', value: exampleRotated },
        link: {
          summary: 'Without a signature: a claim link',
          value: {
            agent_id: exampleIds.buyer,
            status: 'claim_issued',
            agent_key: null,
            claim_link: exampleClaimLink,
          },
        },
        mailed: {
          summary: 'The link goes by mail',
          value: { agent_id: exampleIds.buyer, status: 'claim_sent', agent_key: null, claim_link: null },
        },
      },
    },
  },
  errorBodies: { 503: issuedAnyway },
  errors: [
    'agent_not_found',
    'wrong_universe',
    'contact_email_missing',
    'claim_by_owner_only',
    'rate_limited',
    ...commandErrors,
  ],
});

export const redeemClaimRoute = route({
  method: 'GET',
  path: '/rotate',
  operationId: 'redeemClaim',
  summary: 'Redeem a claim token for a bearer key',
  description:
    'The key is shown once, and the previous key fails from now on. HEAD is not allowed, so that no prefetch redeems a link.',
  tag: 'Agents',
  credentials: ['none'],
  secret: true,
  withoutHead: true,
  query: z.object({
    token: text(limits.claimTokenCharsMax, 1).describe('The token of a claim link.'),
  }),
  answers: { 200: answer('The new bearer key.', rotateResponse, exampleRotated) },
  errorBodies: { 503: issuedAnyway },
  errorExamples: {
    invalid_claim_token: { detail: 'the claim token is invalid or was used already' },
    read_model_behind: exampleRotated,
  },
  errors: ['invalid_claim_token', 'agent_suspended', 'agent_retired', ...commandErrors],
});

export const agentRetiredWire = z
  .object({
    agent_id: z.string().describe(fieldTexts.agent_id),
    status: z.literal('retired').describe('Nobody reaches the agent or acts as it, for good.'),
    retired_at: moment('Since when'),
  })
  .meta({ id: 'AgentRetired', description: 'That an agent is retired.' });
export type AgentRetiredWire = z.infer<typeof agentRetiredWire>;

export const retireRoute = route({
  method: 'POST',
  path: '/retire',
  operationId: 'retireAgent',
  summary: 'Retire an agent for good',
  description:
    'From the answer on the agent is shown with a trust_score of 0, the flag `retired` and the action `block`; calls and payments to it, and everything done ' +
    'as it, are 403 `agent_retired`; it leaves match and the registry. Its agent_id stays taken and its record can be read. It cannot be undone. ' +
    "With an organisation's key or the operator's token it may be repeated; the agent's own credential is refused once it is retired.",
  tag: 'Agents',
  credentials: ['agent', 'signature', 'organisation', 'admin_token', 'operator'],
  organisationScope: 'register',
  operatorRole: 'operator',
  body: z.object({ agent_id: agentId }).meta({ id: 'RetireRequest', description: 'Which agent to retire.' }),
  bodyExamples: { retire: { summary: 'An agent', value: { agent_id: exampleIds.translator } } },
  answers: {
    200: answer('Retired, by this request or before.', agentRetiredWire, {
      agent_id: exampleIds.translator,
      status: 'retired',
      retired_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['agent_not_found', 'not_owner', 'wrong_universe', 'agent_suspended', ...commandErrors],
});

/** The routes about one agent, in the order of the OpenAPI document. */
export const agentRoutes: readonly Route[] = [
  verifyRoute,
  verifyBatchRoute,
  matchRoute,
  registryRoute,
  agentRoute,
  registerRoute,
  requestRotationRoute,
  redeemClaimRoute,
  agentWhoamiRoute,
  retireRoute,
];
