import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { messageProtocol, payloadSchema, priceScheduleEntry } from './fields.ts';
import { agentFlag, recommendedAction } from './views.ts';
import type { MatchedAgent, MatchReason, OwnerAgent, PublicAgent, RatingRecord } from './views.ts';

/** The wire's form of what a registry knows of an agent, and the one place where names turn from the code's to the wire's. */

const nullableText = z.string().nullable();

export const publicRouting = z
  .object({
    protocol: nullableText,
    accepted_terms_format: nullableText,
    settlement_rail: z.array(z.string()).nullable(),
    http_methods: z.array(z.string()).nullable(),
    price_schedule: z.array(priceScheduleEntry).nullable(),
    payment_network: nullableText,
    payment_pay_to: nullableText,
    payment_asset: nullableText,
    pay_via: nullableText.meta({ description: 'Address of the pay proxy, where the agent accepts x402.' }),
  })
  .meta({ id: 'PublicRouting' });
export const ownerRouting = publicRouting.extend({ endpoint_url: nullableText }).meta({ id: 'OwnerRouting' });

export const trustObject = z
  .object({
    agent_id: z.string(),
    role: z.string(),
    verified: z.boolean(),
    trust_score: z.int().min(0).max(100),
    trust_policy: z.string(),
    org_name: nullableText,
    org_domain: nullableText,
    specialty: nullableText,
    capabilities: z.array(weightedCapability),
    flags: z.array(agentFlag),
    routing: publicRouting,
    message_protocol: messageProtocol,
    a2a_compliant: z.boolean(),
    accepted_content_types: z.array(z.string()),
    payload_schema: payloadSchema.nullable(),
    signup_help: nullableText,
    auth_header_name: nullableText,
    success_rate: z.number().nullable(),
    transaction_count: z.int(),
    last_active: z.string(),
    recommended_action: recommendedAction,
  })
  .meta({ id: 'TrustObject' });
export type TrustObject = z.infer<typeof trustObject>;

export const ownerTrustObject = trustObject
  .extend({ routing: ownerRouting, is_sandbox: z.boolean(), related_agent_id: nullableText })
  .meta({ id: 'OwnerTrustObject' });
export type OwnerTrustObject = z.infer<typeof ownerTrustObject>;

export const matchResult = trustObject
  .extend({
    match_score: z.number(),
    match_reasons: z.array(
      z.object({
        required_capability: z.string(),
        matched_capability: z.string(),
        weight: z.int(),
        how: z.enum(['exact', 'alias', 'close']),
        similarity: z.number(),
      }),
    ),
  })
  .meta({ id: 'MatchResult' });
export type MatchResult = z.infer<typeof matchResult>;

export const ratingWire = z
  .object({
    transaction_id: z.string(),
    caller_agent_id: z.string(),
    caller_org_domain: nullableText,
    success: z.boolean(),
    score: z.int(),
    reviewed_at: z.string(),
  })
  .meta({ id: 'RatingRecord' });

export const agentProfile = trustObject
  .extend({
    contact_info: nullableText,
    registered_at: z.string(),
    last_transaction_at: nullableText,
    ratings_received: z.array(ratingWire),
  })
  .meta({ id: 'AgentProfile' });
export type AgentProfile = z.infer<typeof agentProfile>;

/** `{base_url}/pay/{agent_id}`, the address that takes the place of an endpoint in everything about payments. */
export const payViaUrl = (baseUrl: string, agentId: string): string => `${baseUrl}/pay/${encodeURIComponent(agentId)}`;

const payloadSchemaToWire = (schema: PublicAgent['payloadSchema']): TrustObject['payload_schema'] =>
  schema === null
    ? null
    : {
        currency: schema.currency,
        date_format: schema.dateFormat,
        quantity_unit: schema.quantityUnit,
        weight_unit: schema.weightUnit,
      };

export const trustObjectToWire = (agent: PublicAgent, baseUrl: string): TrustObject => ({
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
});

export const ownerTrustObjectToWire = (agent: OwnerAgent, baseUrl: string): OwnerTrustObject => {
  const open = trustObjectToWire(agent, baseUrl);
  return {
    ...open,
    routing: { ...open.routing, endpoint_url: agent.endpointUrl },
    is_sandbox: agent.isSandbox,
    related_agent_id: agent.relatedAgentId,
  };
};

const matchReasonToWire = (reason: MatchReason): MatchResult['match_reasons'][number] => ({
  required_capability: reason.requiredCapability,
  matched_capability: reason.matchedCapability,
  weight: reason.weight,
  how: reason.how,
  similarity: reason.similarity,
});

export const matchResultToWire = (match: MatchedAgent, baseUrl: string): MatchResult => ({
  ...trustObjectToWire(match.agent, baseUrl),
  match_score: match.matchScore,
  match_reasons: match.matchReasons.map(matchReasonToWire),
});

/** The JSON of a reason, for `matchResultText`. */
export const matchReasonText = (reason: MatchReason): string => JSON.stringify(matchReasonToWire(reason));

/**
 * The JSON of what `matchResultToWire` answers, made from that of the trust object and of the reasons, which many results share: the
 * object goes on where the trust object ends.
 */
export const matchResultText = (
  trustObjectText: string,
  matchScore: number,
  reasonTexts: readonly (string | undefined)[],
): string => `${trustObjectText.slice(0, -1)},"match_score":${matchScore},"match_reasons":[${reasonTexts.join(',')}]}`;

export const agentProfileToWire = (agent: PublicAgent, ratings: RatingRecord[], baseUrl: string): AgentProfile => ({
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
});
