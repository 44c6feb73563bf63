import { z } from 'zod';
import { profiledAgent, publicAgent, ratingRecord } from '../agent/views.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';
import { asOf } from './as-of.ts';

/** Whom to ask about, as seen from where, at which moment; refusal: validation_failed for one in the future. */
const asked = { agentId: z.string(), universe };

/** An agent as it was. */
export const getPastAgent = unary('trust-projection', 'get_past_agent', {
  input: z.object({ ...asked, asOf }),
  output: z.object({ agent: publicAgent.nullable() }),
});

/** An agent as it was, with its newest ratings of then. */
export const getPastAgentProfile = unary('trust-projection', 'get_past_agent_profile', {
  input: z.object({ ...asked, asOf }),
  output: z.object({ agent: profiledAgent.nullable(), ratings: z.array(ratingRecord) }),
});

export const trustContribution = z.object({
  kind: z.enum(['prior', 'root']),
  root: nullableText,
  weight: z.number(),
  cappedWeight: z.number(),
  mean: z.number(),
  points: z.number(),
});

export const explainedReview = z.object({
  eventId: z.string(),
  transactionId: z.string(),
  reviewerAgentId: z.string(),
  reviewedAt: z.string(),
  rootWeights: z.record(z.string(), z.number()),
  weight: z.number(),
  value: z.number(),
  counted: z.boolean(),
  reason: z.enum(['weight_below_minimum', 'older_than_recent', 'beyond_three_of_root']).nullable(),
});

export const explainedTrust = z.object({
  agentId: z.string(),
  trustScore: z.number(),
  unrounded: z.number(),
  trustPolicy: z.string(),
  asOf: z.object({ position: positionText, time: z.string() }),
  basis: z.enum(['all', 'recent']),
  prior: z.number(),
  strength: z.number(),
  contributions: z.array(trustContribution),
  /** A page of them, newest first. */
  reviews: z.array(explainedReview),
});
export type ExplainedTrust = z.infer<typeof explainedTrust>;

/** What an agent's score is made of, now or then, with a page of the reviews behind it, newest first. */
export const explainTrust = unary('trust-projection', 'explain_trust', {
  input: z.object({ ...asked, asOf: asOf.nullable(), limit: z.number(), offset: z.number() }),
  output: z.object({ trust: explainedTrust.nullable(), reviewsTotal: z.number() }),
});

export const trustChange = z.object({
  at: z.string(),
  position: positionText,
  trustScore: z.number(),
  previousScore: z.number().nullable(),
  trustPolicy: z.string(),
  cause: z.object({ type: z.string(), eventId: z.string(), transactionId: nullableText }),
});
export type TrustChange = z.infer<typeof trustChange>;

/** A page of the changes of an agent's score, oldest first; null for an unknown agent. */
export const getTrustHistory = unary('trust-projection', 'get_trust_history', {
  input: z.object({ ...asked, limit: z.number(), offset: z.number() }),
  output: z.object({ history: z.array(trustChange).nullable(), total: z.number() }),
});
