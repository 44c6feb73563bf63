import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';
import { agentConfiguration } from './configuration.ts';

/** Every flag that an agent may carry. A closed list: clients switch on it. */
export const agentFlag = z.enum([
  'unregistered',
  'unverified',
  'no_transactions',
  'no_endpoint',
  'low_trust',
  'sandbox',
]);
export type AgentFlag = z.infer<typeof agentFlag>;

/** What a consumer should do at a trust score (specification, "Decision rule for consumers"). */
export const recommendedAction = z.enum(['proceed', 'proceed_with_limits', 'abort', 'block']);
export type RecommendedAction = z.infer<typeof recommendedAction>;

/** What anybody may know of an agent. It has no endpoint: who only reads never receives one, on the bus either. */
export const publicAgent = z.object({
  agentId: z.string(),
  role: z.string(),
  verified: z.boolean(),
  trustScore: z.number(),
  trustPolicy: z.string(),
  orgName: nullableText,
  orgDomain: nullableText,
  specialty: nullableText,
  capabilities: z.array(weightedCapability),
  flags: z.array(agentFlag),
  routing: agentConfiguration.pick({
    protocol: true,
    acceptedTermsFormat: true,
    settlementRail: true,
    httpMethods: true,
    priceSchedule: true,
    paymentNetwork: true,
    paymentPayTo: true,
    paymentAsset: true,
  }),
  /** Has an endpoint and accepts x402, so that a pay_via link makes sense. */
  payable: z.boolean(),
  messageProtocol: agentConfiguration.shape.messageProtocol,
  a2aCompliant: z.boolean(),
  acceptedContentTypes: z.array(z.string()),
  payloadSchema: agentConfiguration.shape.payloadSchema,
  signupHelp: nullableText,
  authHeaderName: nullableText,
  successRate: z.number().nullable(),
  transactionCount: z.number(),
  registeredAt: z.string(),
  lastActive: z.string(),
  lastTransactionAt: nullableText,
  recommendedAction,
});
export type PublicAgent = z.infer<typeof publicAgent>;

/** What an agent's owner knows of it besides. */
export const ownerAgent = publicAgent.extend({
  endpointUrl: nullableText,
  isSandbox: z.boolean(),
  relatedAgentId: nullableText,
});
export type OwnerAgent = z.infer<typeof ownerAgent>;

/** How the people behind an agent say that they are reached. Personal data: shown with a profile and nowhere else. */
const contactInfo = { contactInfo: nullableText };
export const profiledAgent = publicAgent.extend(contactInfo);
export type ProfiledAgent = z.infer<typeof profiledAgent>;
export const ownerProfiledAgent = ownerAgent.extend(contactInfo);
export type OwnerProfiledAgent = z.infer<typeof ownerProfiledAgent>;

export const ratingRecord = z.object({
  transactionId: z.string(),
  callerAgentId: z.string(),
  callerOrgDomain: nullableText,
  success: z.boolean(),
  score: z.number(),
  reviewedAt: z.string(),
});
export type RatingRecord = z.infer<typeof ratingRecord>;

/** Who a bearer key belongs to. */
export const agentIdentity = z.object({
  agentId: z.string(),
  universe,
  orgId: nullableText,
});
export type AgentIdentity = z.infer<typeof agentIdentity>;

export const matchReason = z.object({
  requiredCapability: z.string(),
  matchedCapability: z.string(),
  weight: z.number(),
  how: z.enum(['exact', 'alias', 'close']),
  similarity: z.number(),
});
export type MatchReason = z.infer<typeof matchReason>;

/** An agent's place in a ranking, and why it has it. What may be shown of it is asked for apart, by who does not have it yet. */
export const rankedMatch = z.object({
  agentId: z.string(),
  /** Position of the event that last changed anything of the agent: it is shown the same until that is another. */
  changedPosition: positionText,
  matchScore: z.number(),
  /** Places in the answer's `reasons`: most matches have the same few. */
  matchReasons: z.array(z.number()),
});
export type RankedMatch = z.infer<typeof rankedMatch>;

export const matchedAgent = z.object({
  agent: publicAgent,
  matchScore: z.number(),
  matchReasons: z.array(matchReason),
});
export type MatchedAgent = z.infer<typeof matchedAgent>;
