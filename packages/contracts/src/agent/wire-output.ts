import { nullableText } from '../text.ts';
import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { limits } from '../limits.ts';
import { fieldTexts } from './field-texts.ts';
import { messageProtocol, payloadSchema, priceScheduleEntry } from './fields.ts';
import { agentFlag, recommendedAction } from './views.ts';
import type {
  MatchedAgent,
  MatchReason,
  OwnerAgent,
  OwnerProfiledAgent,
  ProfiledAgent,
  PublicAgent,
  RatingRecord,
} from './views.ts';

/** The wire's form of what a registry knows of an agent, and the one place where names turn from the code's to the wire's. */

const text = (field: keyof typeof fieldTexts): z.ZodString => z.string().describe(fieldTexts[field]);
const textOrNull = (field: keyof typeof fieldTexts): z.ZodNullable<z.ZodString> =>
  nullableText.describe(fieldTexts[field]);

export const publicRouting = z
  .object({
    protocol: textOrNull('protocol'),
    accepted_terms_format: textOrNull('accepted_terms_format'),
    settlement_rail: z.array(z.string()).nullable().describe(fieldTexts.settlement_rail),
    http_methods: z.array(z.string()).nullable().describe(fieldTexts.http_methods),
    price_schedule: z.array(priceScheduleEntry).nullable().describe(fieldTexts.price_schedule),
    payment_network: textOrNull('payment_network'),
    payment_pay_to: textOrNull('payment_pay_to'),
    payment_asset: textOrNull('payment_asset'),
    pay_via: nullableText.describe('Address of the pay proxy, where the agent accepts x402.'),
  })
  .meta({ id: 'PublicRouting', description: 'How an agent is dealt with. Where it is reached is not told.' });
export const ownerRouting = publicRouting
  .extend({ endpoint_url: textOrNull('endpoint_url') })
  .meta({ id: 'OwnerRouting', description: 'How an agent is dealt with, and where it is reached.' });

export const trustObject = z
  .object({
    agent_id: text('agent_id'),
    role: text('role'),
    verified: z.boolean().describe(fieldTexts.verified),
    trust_score: z.int().min(0).max(100).describe(fieldTexts.trust_score),
    trust_policy: text('trust_policy'),
    org_name: textOrNull('org_name'),
    org_domain: textOrNull('org_domain'),
    specialty: textOrNull('specialty'),
    capabilities: z.array(weightedCapability).describe(fieldTexts.capabilities),
    flags: z.array(agentFlag).describe(fieldTexts.flags),
    routing: publicRouting,
    message_protocol: messageProtocol,
    a2a_compliant: z.boolean().describe(fieldTexts.a2a_compliant),
    accepted_content_types: z.array(z.string()).describe(fieldTexts.accepted_content_types),
    payload_schema: payloadSchema.nullable().describe(fieldTexts.payload_schema),
    signup_help: textOrNull('signup_help'),
    auth_header_name: textOrNull('auth_header_name'),
    success_rate: z.number().nullable().describe(fieldTexts.success_rate),
    transaction_count: z.int().describe(fieldTexts.transaction_count),
    last_active: text('last_active'),
    recommended_action: recommendedAction.describe(fieldTexts.recommended_action),
  })
  .meta({ id: 'TrustObject', description: 'What anybody may know of an agent, and how far it can be trusted.' });
export type TrustObject = z.infer<typeof trustObject>;

export const ownerTrustObject = trustObject
  .extend({
    routing: ownerRouting,
    is_sandbox: z.boolean().describe(fieldTexts.is_sandbox),
    related_agent_id: textOrNull('related_agent_id'),
  })
  .meta({ id: 'OwnerTrustObject', description: 'A trust object with what its owner alone may know.' });
export type OwnerTrustObject = z.infer<typeof ownerTrustObject>;

const matchReason = z
  .object({
    required_capability: z.string().describe('The name that was asked for, in its normal form.'),
    matched_capability: z.string().describe('The capability of the agent that met it.'),
    weight: z.int().describe("The agent's weight of that capability."),
    how: z
      .enum(['exact', 'alias', 'close'])
      .describe('The same name, another name of the same capability, or one that means nearly the same.'),
    similarity: z.number().describe('How near the two are, 0 to 1; 1 for exact and alias.'),
  })
  .meta({ id: 'MatchReason', description: 'Which capability of an agent met a required one, and why.' });

export const matchResult = trustObject
  .extend({
    match_score: z
      .number()
      .describe(
        'Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 experience.',
      ),
    match_reasons: z.array(matchReason).describe('One for each required capability that the agent has.'),
  })
  .meta({ id: 'MatchResult', description: 'A trust object with its place in the ranking.' });
export type MatchResult = z.infer<typeof matchResult>;

export const ratingWire = z
  .object({
    transaction_id: z.string().describe('The exchange that was rated.'),
    caller_agent_id: z.string().describe('Who rated it.'),
    caller_org_domain: nullableText.describe("The domain of the rater's organisation."),
    success: z.boolean().describe('Whether the caller got what it asked for.'),
    score: z.int().describe('1, very bad, to 10, excellent.'),
    reviewed_at: z.string().describe('When it was rated, RFC 3339 in UTC.'),
  })
  .meta({ id: 'RatingRecord', description: 'What a caller thought of an exchange with the agent.' });

export const agentProfile = trustObject
  .extend({
    contact_info: textOrNull('contact_info'),
    registered_at: text('registered_at'),
    last_transaction_at: nullableText.describe('When its last exchange ended, RFC 3339 in UTC.'),
    ratings_received: z.array(ratingWire).describe(`The newest ${limits.ratingsShownMax} ratings, newest first.`),
  })
  .meta({ id: 'AgentProfile', description: 'A trust object with the ratings that the agent received.' });
export type AgentProfile = z.infer<typeof agentProfile>;

/** `{base_url}/pay/{agent_id}`, the address that takes the place of an endpoint in everything about payments. */
export function payViaUrl(baseUrl: string, agentId: string): string {
  return `${baseUrl}/pay/${encodeURIComponent(agentId)}`;
}

const payloadSchemaToWire = (schema: PublicAgent['payloadSchema']): TrustObject['payload_schema'] =>
  schema === null
    ? null
    : {
        currency: schema.currency,
        date_format: schema.dateFormat,
        quantity_unit: schema.quantityUnit,
        weight_unit: schema.weightUnit,
      };

export function trustObjectToWire(agent: PublicAgent, baseUrl: string): TrustObject {
  return {
    agent_id: agent.agentId,
    role: agent.role,
    verified: agent.verified,
    trust_score: agent.trustScore,
    trust_policy: agent.trustPolicy,
    org_name: agent.orgName,
    org_domain: agent.orgDomain,
    specialty: agent.specialty,
    capabilities: agent.capabilities,
    flags: agent.flags,
    routing: {
      protocol: agent.routing.protocol,
      accepted_terms_format: agent.routing.acceptedTermsFormat,
      settlement_rail: agent.routing.settlementRail,
      http_methods: agent.routing.httpMethods,
      price_schedule: agent.routing.priceSchedule,
      payment_network: agent.routing.paymentNetwork,
      payment_pay_to: agent.routing.paymentPayTo,
      payment_asset: agent.routing.paymentAsset,
      pay_via: agent.payable ? payViaUrl(baseUrl, agent.agentId) : null,
    },
    message_protocol: agent.messageProtocol,
    a2a_compliant: agent.a2aCompliant,
    accepted_content_types: agent.acceptedContentTypes,
    payload_schema: payloadSchemaToWire(agent.payloadSchema),
    signup_help: agent.signupHelp,
    auth_header_name: agent.authHeaderName,
    success_rate: agent.successRate,
    transaction_count: agent.transactionCount,
    last_active: agent.lastActive,
    recommended_action: agent.recommendedAction,
  };
}

export function ownerTrustObjectToWire(agent: OwnerAgent, baseUrl: string): OwnerTrustObject {
  const open = trustObjectToWire(agent, baseUrl);
  return {
    ...open,
    routing: { ...open.routing, endpoint_url: agent.endpointUrl },
    is_sandbox: agent.isSandbox,
    related_agent_id: agent.relatedAgentId,
  };
}

const matchReasonToWire = (reason: MatchReason): MatchResult['match_reasons'][number] => ({
  required_capability: reason.requiredCapability,
  matched_capability: reason.matchedCapability,
  weight: reason.weight,
  how: reason.how,
  similarity: reason.similarity,
});

export function matchResultToWire(match: MatchedAgent, baseUrl: string): MatchResult {
  return {
    ...trustObjectToWire(match.agent, baseUrl),
    match_score: match.matchScore,
    match_reasons: match.matchReasons.map(matchReasonToWire),
  };
}

/** The JSON of a reason, for `matchResultText`. */
export function matchReasonText(reason: MatchReason): string {
  return JSON.stringify(matchReasonToWire(reason));
}

/**
 * The JSON of what `matchResultToWire` answers, made from that of the trust object and of the reasons, which many results share: the
 * object goes on where the trust object ends.
 */
export function matchResultText(
  trustObjectText: string,
  matchScore: number,
  reasonTexts: readonly (string | undefined)[],
): string {
  return `${trustObjectText.slice(0, -1)},"match_score":${matchScore},"match_reasons":[${reasonTexts.join(',')}]}`;
}

export function agentProfileToWire(agent: ProfiledAgent, ratings: RatingRecord[], baseUrl: string): AgentProfile {
  return {
    ...trustObjectToWire(agent, baseUrl),
    contact_info: agent.contactInfo,
    registered_at: agent.registeredAt,
    last_transaction_at: agent.lastTransactionAt,
    ratings_received: ratings.map((rating) => ({
      transaction_id: rating.transactionId,
      caller_agent_id: rating.callerAgentId,
      caller_org_domain: rating.callerOrgDomain,
      success: rating.success,
      score: rating.score,
      reviewed_at: rating.reviewedAt,
    })),
  };
}

/** The profile with what its owner knows besides: routing in the owner's form, universe and pair. */
export const ownerAgentProfile = agentProfile
  .extend({
    routing: ownerTrustObject.shape.routing,
    is_sandbox: ownerTrustObject.shape.is_sandbox,
    related_agent_id: ownerTrustObject.shape.related_agent_id,
  })
  .meta({ id: 'OwnerAgentProfile', description: 'A profile with what its owner alone may know.' });

export function ownerAgentProfileToWire(
  agent: OwnerProfiledAgent,
  ratings: RatingRecord[],
  baseUrl: string,
): z.infer<typeof ownerAgentProfile> {
  return { ...agentProfileToWire(agent, ratings, baseUrl), ...ownerTrustObjectToWire(agent, baseUrl) };
}
