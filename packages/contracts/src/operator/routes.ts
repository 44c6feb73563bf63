import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { errorBody } from '../errors.ts';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { orgKeyIssuedAnyway } from '../organisation/routes.ts';
import { agentId, moment, text, timestamp } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { selectedReview } from './commands.ts';
import { operatorReason, operatorRoute } from './operator-route.ts';
import { operatorWhoamiRoute } from './whoami-route.ts';

const withReason = {
  ...operatorRoute,
  body: z
    .strictObject({ reason: operatorReason("the log and the agent's owner") })
    .meta({ id: 'OperatorReason', description: 'Why the operator does this.' }),
};

const shownAgentId = z.string().describe('The agent.');

export const agentSuspendedWire = z
  .object({
    agent_id: shownAgentId,
    status: z.literal('suspended').describe('Nobody reaches the agent or acts as it.'),
    reason: z.string().describe('Why, as the suspension that holds was given it.'),
    suspended_at: moment('Since when'),
  })
  .meta({ id: 'AgentSuspended', description: 'That an agent is suspended.' });
export type AgentSuspendedWire = z.infer<typeof agentSuspendedWire>;

export const agentReinstatedWire = z
  .object({ agent_id: shownAgentId, status: z.literal('reinstated').describe('The agent is not suspended.') })
  .meta({ id: 'AgentReinstated', description: 'That an agent is not suspended.' });
export type AgentReinstatedWire = z.infer<typeof agentReinstatedWire>;

export const suspendAgentRoute = route({
  ...withReason,
  path: '/ops/agents/{agent_id}/suspend',
  operationId: 'suspendAgent',
  summary: 'Suspend an agent',
  description:
    'For an agent in either universe. From the answer on it is shown with a trust_score of 0, the flag `suspended` and the action `block`; calls and ' +
    'payments to it, and everything done as it, are 403 `agent_suspended`; it leaves match and the registry. Its organisation can read and ' +
    'withdraw it. GET /agent/{agent_id}/trust goes on to explain what it has earned. May be repeated: the first suspension stands.',
  params: z.object({ agent_id: agentId }),
  bodyExamples: { abuse: { summary: 'A reason', value: { reason: 'Answers calls with malware, report 2026-114.' } } },
  answers: {
    200: answer('Suspended, by this request or before.', agentSuspendedWire, {
      agent_id: exampleIds.translator,
      status: 'suspended',
      reason: 'Answers calls with malware, report 2026-114.',
      suspended_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});

export const reinstateAgentRoute = route({
  ...withReason,
  path: '/ops/agents/{agent_id}/reinstate',
  operationId: 'reinstateAgent',
  summary: 'Reinstate a suspended agent',
  description:
    'The agent is shown with what it has earned, is found and can be called again. May be repeated. It stays blocked while its organisation is disabled or if it is retired.',
  params: z.object({ agent_id: agentId }),
  bodyExamples: { clear: { summary: 'A reason', value: { reason: 'The owner has replaced the server.' } } },
  answers: {
    200: answer('Not suspended, by this request or before.', agentReinstatedWire, {
      agent_id: exampleIds.translator,
      status: 'reinstated',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});

const organisationFields = {
  org_id: z.string().describe('Id of the organisation.'),
  org_name: z.string().describe('Its name.'),
};
const exampleOrganisation = { org_id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', org_name: 'Globex' };
const organisationParams = z.object({
  org_id: text(limits.orgNameCharsMax, 1).meta({
    description: 'Id or name of the organisation.',
    examples: [exampleOrganisation.org_id],
  }),
});

export const organisationDisabledWire = z
  .object({
    ...organisationFields,
    status: z.literal('disabled').describe('Its keys are refused and its agents are suspended.'),
    reason: z.string().describe('Why, as it was disabled for.'),
    disabled_at: moment('Since when'),
  })
  .meta({ id: 'OrganisationDisabled', description: 'That an organisation is disabled.' });
export type OrganisationDisabledWire = z.infer<typeof organisationDisabledWire>;

export const organisationEnabledWire = z
  .object({ ...organisationFields, status: z.literal('enabled').describe('It is not disabled.') })
  .meta({ id: 'OrganisationEnabled', description: 'That an organisation is not disabled.' });
export type OrganisationEnabledWire = z.infer<typeof organisationEnabledWire>;

const reissuedKeys = {
  api_key: z.string().describe('The new production key.'),
  sandbox_api_key: z.string().describe('The new sandbox key.'),
};
export const organisationKeysReissuedWire = z
  .object({
    ...organisationFields,
    ...reissuedKeys,
    reissued_at: moment('When'),
  })
  .meta({ id: 'OrganisationKeysReissued', description: 'The new keys of an organisation, which are shown once.' });
export type OrganisationKeysReissuedWire = z.infer<typeof organisationKeysReissuedWire>;

export const disableOrganisationRoute = route({
  ...withReason,
  path: '/ops/organisations/{org_id}/disable',
  operationId: 'disableOrganisation',
  summary: 'Disable an organisation',
  description:
    'From the answer on its keys are 403 `organisation_disabled`, and its agents in both universes count as suspended. Nothing is deleted. May be repeated: what it was disabled for first stands.',
  params: organisationParams,
  bodyExamples: { abuse: { summary: 'A reason', value: { reason: 'Registers agents that answer with malware.' } } },
  answers: {
    200: answer('Disabled, by this request or before.', organisationDisabledWire, {
      ...exampleOrganisation,
      status: 'disabled',
      reason: 'Registers agents that answer with malware.',
      disabled_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['organisation_not_found', ...commandErrors],
});

export const enableOrganisationRoute = route({
  ...withReason,
  path: '/ops/organisations/{org_id}/enable',
  operationId: 'enableOrganisation',
  summary: 'Enable a disabled organisation',
  description:
    'Its keys work again, and its agents are as they were: one that was suspended by itself stays so. May be repeated.',
  params: organisationParams,
  bodyExamples: { clear: { summary: 'A reason', value: { reason: 'The owner has removed them.' } } },
  answers: {
    200: answer('Not disabled, by this request or before.', organisationEnabledWire, {
      ...exampleOrganisation,
      status: 'enabled',
    }),
  },
  errors: ['organisation_not_found', ...commandErrors],
});

const exampleKeys = {
  api_key: `registry-org-sk-${'EXAMPLE'.repeat(6)}A`,
  sandbox_api_key: `registry-org-sandbox-sk-${'EXAMPLE'.repeat(6)}A`,
};

export const reissueOrganisationKeysRoute = route({
  ...withReason,
  operatorRole: 'admin',
  secret: true,
  path: '/ops/organisations/{org_id}/reissue-keys',
  operationId: 'reissueOrganisationKeys',
  summary: "Revoke and reissue an organisation's keys",
  description:
    'Both keys are replaced and all named keys revoked, also those of a disabled organisation and a sandbox key that was revoked; the former ones fail at every gateway from the answer on. ' +
    'After a 503 with keys in its body these may be valid: try them, or repeat the request, which replaces the keys again.',
  params: organisationParams,
  bodyExamples: { leak: { summary: 'A reason', value: { reason: 'A key was published by mistake.' } } },
  answers: {
    200: answer('Both keys, shown once.', organisationKeysReissuedWire, {
      ...exampleOrganisation,
      ...exampleKeys,
      reissued_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errorBodies: { 503: orgKeyIssuedAnyway },
  errorExamples: { read_model_behind: exampleKeys },
  errors: ['organisation_not_found', ...commandErrors],
});

const reviewMoment = (description: string) =>
  timestamp
    .refine((time) => !time.startsWith('0000'), { message: 'must not be in a year 0' })
    .optional()
    .describe(`${description}, RFC 3339.`);
const ofAgents = z.array(agentId).min(1).max(limits.reviewsVoidedOfAgentsMax).optional();

export const voidReviewsRequest = z
  .strictObject({
    reason: operatorReason('the log and the owners of the reviewed agents'),
    transaction_ids: z
      .array(text(limits.agentIdCharsMax, 1))
      .min(1)
      .max(limits.reviewsVoidedMax)
      .optional()
      .describe('Only reviews of these exchanges.'),
    reviewer_agent_ids: ofAgents.describe('Only reviews by these agents.'),
    agent_ids: ofAgents.describe('Only reviews of these agents.'),
    reviewed_from: reviewMoment('Only reviews made at or after this moment'),
    reviewed_until: reviewMoment('Only reviews made before this moment'),
    dry_run: z.boolean().describe('true: only shows what would be voided. Required, as voiding is final.'),
  })
  .refine((body) => (body.transaction_ids ?? body.reviewer_agent_ids ?? body.agent_ids) !== undefined, {
    path: ['transaction_ids'],
    message: 'is required, or reviewer_agent_ids, or agent_ids',
  })
  .meta({
    id: 'VoidReviewsRequest',
    description: 'Which reviews to void, and why. All conditions must hold; unknown members are refused.',
  });

export const reviewsVoidedWire = z
  .object({
    dry_run: z.boolean().describe('true: nothing was voided.'),
    reviews: z
      .array(onWire(selectedReview))
      .describe(`Those that were voided, or would be, oldest first; at most ${limits.reviewsVoidedMax}.`),
    remaining: z.int().describe('How many more are selected: repeat the request until it is 0.'),
  })
  .meta({ id: 'ReviewsVoided', description: 'Reviews that were voided.' });
export type ReviewsVoidedWire = z.infer<typeof reviewsVoidedWire>;
const reviewsVoidedAnyway = errorBody
  .extend(reviewsVoidedWire.partial().shape)
  .meta({ id: 'ReviewsVoidedAnyway', description: 'A refusal; if it lists reviews, these are void all the same.' });

const exampleVoided: ReviewsVoidedWire = {
  dry_run: false,
  reviews: [
    {
      transaction_id: exampleIds.transaction,
      agent_id: exampleIds.translator,
      reviewer_agent_id: exampleIds.buyer,
      success: true,
      score: 10,
      reviewed_at: '2026-01-15T09:31:12.000Z',
    },
  ],
  remaining: 0,
};

export const voidReviewsRoute = route({
  ...operatorRoute,
  path: '/ops/reviews/void',
  operationId: 'voidReviews',
  summary: 'Void reviews',
  description:
    'For reviews that were made with a stolen key, or by a ring. From the answer on the scores of the reviewed agents are as if these reviews had never been made; ' +
    'GET /agent/{agent_id}/trust shows each with the reason `voided`, and as_of shows what held until then. It cannot be undone: try it with dry_run first. ' +
    'Only reviews of production that are not void are selected, so it may be repeated.',
  body: voidReviewsRequest,
  bodyExamples: {
    key: {
      summary: 'All reviews since a key was stolen',
      value: {
        reason: 'Made with a stolen key, report 2026-117.',
        reviewer_agent_ids: [exampleIds.buyer],
        reviewed_from: '2026-01-14T00:00:00Z',
        dry_run: false,
      },
    },
    ring: {
      summary: 'What agents of a ring said of each other',
      value: {
        reason: 'A ring, report 2026-118.',
        reviewer_agent_ids: [exampleIds.buyer, exampleIds.translator],
        agent_ids: [exampleIds.buyer, exampleIds.translator],
        dry_run: true,
      },
    },
  },
  answers: {
    200: answer('The reviews.', reviewsVoidedWire, exampleVoided),
  },
  errorBodies: { 503: reviewsVoidedAnyway },
  errorExamples: { read_model_behind: exampleVoided },
  errors: [...commandErrors],
});

/** In the order of the OpenAPI document. */
export const operatorRoutes: readonly Route[] = [
  operatorWhoamiRoute,
  suspendAgentRoute,
  reinstateAgentRoute,
  disableOrganisationRoute,
  enableOrganisationRoute,
  reissueOrganisationKeysRoute,
  voidReviewsRoute,
];
