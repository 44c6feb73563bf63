import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { moment, nullableMoment, nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';
import { agentBlock } from './block.ts';
import { trustConfidence } from './confidence.ts';
import { agentConfiguration } from './configuration.ts';
import { fieldTexts } from './field-texts.ts';
import { messageProtocol, priceScheduleEntry } from './fields.ts';
import { liveness } from './liveness.ts';
import { matchPartValues } from './match-parts.ts';

/** Every flag that an agent may carry. A closed list: clients switch on it. */
export const agentFlag = z.enum([
  'unregistered',
  'unverified',
  'no_transactions',
  'no_endpoint',
  'low_trust',
  'domain_proof_lapsed',
  'sandbox',
  ...agentBlock.options,
]);
export type AgentFlag = z.infer<typeof agentFlag>;

/** What a consumer should do at a trust score (specification, "Decision rule for consumers"). */
export const recommendedAction = z.enum(['proceed', 'proceed_with_limits', 'abort', 'block']);
export type RecommendedAction = z.infer<typeof recommendedAction>;

const textOf = (field: keyof typeof fieldTexts): z.ZodString => z.string().describe(fieldTexts[field]);
const nullableTextOf = (field: keyof typeof fieldTexts): z.ZodNullable<z.ZodString> =>
  nullableText.describe(fieldTexts[field]);

/** What anybody may know of an agent. It has no endpoint: readers never receive one, not even over the bus. */
export const publicAgent = z.object({
  agentId: textOf('agent_id'),
  role: textOf('role'),
  verified: z.boolean().describe(fieldTexts.verified),
  trustScore: z.int().min(0).max(100).describe(fieldTexts.trust_score),
  trustPolicy: textOf('trust_policy'),
  /** By default null, as `orgId`. */
  confidence: trustConfidence.nullable().default(null).describe(fieldTexts.confidence),
  /** By default null: an instance of an older version does not say it. */
  orgId: nullableTextOf('org_id').default(null),
  orgName: nullableTextOf('org_name'),
  orgDomain: nullableTextOf('org_domain'),
  domainVerified: z.boolean().describe(fieldTexts.domain_verified),
  specialty: nullableTextOf('specialty'),
  capabilities: z.array(weightedCapability).describe(fieldTexts.capabilities),
  flags: z.array(agentFlag).describe(fieldTexts.flags),
  routing: z.object({
    protocol: nullableTextOf('protocol'),
    acceptedTermsFormat: nullableTextOf('accepted_terms_format'),
    settlementRail: z.array(z.string()).nullable().describe(fieldTexts.settlement_rail),
    httpMethods: z.array(z.string()).nullable().describe(fieldTexts.http_methods),
    priceSchedule: z.array(priceScheduleEntry).nullable().describe(fieldTexts.price_schedule),
    paymentNetwork: nullableTextOf('payment_network'),
    paymentPayTo: nullableTextOf('payment_pay_to'),
    paymentAsset: nullableTextOf('payment_asset'),
  }),
  /** Has an endpoint and accepts x402, so that a pay_via link makes sense. */
  payable: z.boolean(),
  messageProtocol,
  a2aCompliant: z.boolean().describe(fieldTexts.a2a_compliant),
  acceptedContentTypes: z.array(z.string()).describe(fieldTexts.accepted_content_types),
  payloadSchema: agentConfiguration.shape.payloadSchema,
  signupHelp: nullableTextOf('signup_help'),
  authHeaderName: nullableTextOf('auth_header_name'),
  successRate: z.number().nullable().describe(fieldTexts.success_rate),
  transactionCount: z.int().describe(fieldTexts.transaction_count),
  registeredAt: textOf('registered_at'),
  lastActive: textOf('last_active'),
  lastTransactionAt: nullableMoment('When its last exchange ended'),
  liveness: liveness.nullable().describe(fieldTexts.liveness),
  recommendedAction: recommendedAction.describe(fieldTexts.recommended_action),
});
export type PublicAgent = z.infer<typeof publicAgent>;

/** What only an agent's owner knows. */
export const ownerFields = {
  endpointUrl: nullableTextOf('endpoint_url'),
  isSandbox: z.boolean().describe(fieldTexts.is_sandbox),
  relatedAgentId: nullableTextOf('related_agent_id'),
};
export const ownerAgent = publicAgent.extend(ownerFields);
export type OwnerAgent = z.infer<typeof ownerAgent>;

/** How to reach the people behind an agent. Personal data: shown with a profile and nowhere else. */
const contactInfo = { contactInfo: nullableTextOf('contact_info') };
export const profiledAgent = publicAgent.extend(contactInfo);
export type ProfiledAgent = z.infer<typeof profiledAgent>;
export const ownerProfiledAgent = ownerAgent.extend(contactInfo);
export type OwnerProfiledAgent = z.infer<typeof ownerProfiledAgent>;

export const ratingRecord = z
  .object({
    transactionId: z.string().describe('The exchange that was rated.'),
    callerAgentId: z.string().describe('Who rated it.'),
    callerOrgDomain: nullableText.describe("The domain of the rater's organisation."),
    success: z.boolean().describe('Whether the caller got the requested result.'),
    score: z.int().describe('1, very bad, to 10, excellent.'),
    reviewedAt: moment('When it was rated'),
    answer: z
      .object({
        text: nullableText.describe('What it says; null once the personal data of the agent was erased.'),
        answeredAt: moment('When it was given'),
      })
      .meta({ id: 'ReviewAnswer', description: 'What the owner of the rated agent has answered, once.' })
      .optional()
      .describe('The answer to the rating, if there is one.'),
  })
  .meta({ id: 'RatingRecord', description: 'How a caller rated an exchange with the agent.' });
export type RatingRecord = z.infer<typeof ratingRecord>;

/** Who a bearer key belongs to. */
export const agentIdentity = z.object({
  agentId: z.string(),
  universe,
  orgId: nullableText,
  /** Nobody may act as an agent that has one. */
  block: agentBlock.nullable().default(null),
});
export type AgentIdentity = z.infer<typeof agentIdentity>;

export const matchReason = z
  .object({
    requiredCapability: z.string().describe('The required name in its normal form.'),
    matchedCapability: z.string().describe('The capability of the agent that met it.'),
    weight: z.int().describe("The agent's weight of that capability."),
    how: z
      .enum(['exact', 'alias', 'close'])
      .describe('The same name, another name of the same capability, or one with nearly the same meaning.'),
    similarity: z.number().describe('How near the two are, 0 to 1; 1 for exact and alias.'),
  })
  .meta({ id: 'MatchReason', description: 'Which capability of an agent met a required one, and how.' });
export type MatchReason = z.infer<typeof matchReason>;

/** An agent's place in a ranking, and the reasons. Its public fields are queried separately, by readers that do not have them yet. */
export const rankedMatch = z.object({
  agentId: z.string(),
  /** Position of the event that last changed the agent: until it changes, the agent looks the same. */
  changedPosition: positionText,
  matchScore: z.number(),
  matchParts: matchPartValues,
  /** Indexes into the answer's `reasons`: most matches share a few. */
  matchReasons: z.array(z.number()),
});
export type RankedMatch = z.infer<typeof rankedMatch>;

export const matchFields = {
  matchScore: z
    .number()
    .describe(
      'Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 activity.',
    ),
  matchReasons: z.array(matchReason).describe('One for each required capability that the agent has.'),
};
export const matchedAgent = z.object({ agent: publicAgent, ...matchFields, matchParts: matchPartValues });
export type MatchedAgent = z.infer<typeof matchedAgent>;
