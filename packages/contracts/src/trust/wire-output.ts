import { nullableText } from '../text.ts';
import { z } from 'zod';
import { fieldTexts } from '../agent/field-texts.ts';
import type { ExplainedTrust, TrustChange } from './queries.ts';

const contributionWire = z
  .object({
    kind: z.enum(['prior', 'root']).describe('What the agent began with, or what one root adds.'),
    root: nullableText.describe('The root domain, none for all without one; null for the prior.'),
    weight: z.number().describe('Weight before the cap.'),
    capped_weight: z.number().describe('Weight after it: no root has more than its share of all weight.'),
    mean: z.number().describe('What this says of the agent, 0 to 1.'),
    points: z.number().describe('Its part of unrounded; added up they are unrounded exactly.'),
  })
  .meta({ id: 'TrustContribution', description: 'One part of a score.' });

const reviewWire = z
  .object({
    event_id: z.string().describe('The event in the log.'),
    transaction_id: z.string().describe('The exchange that was reviewed.'),
    reviewer_agent_id: z.string().describe('Who reviewed it.'),
    reviewed_at: z.string().describe('When, RFC 3339 in UTC.'),
    root_weights: z
      .record(z.string(), z.number())
      .describe('The share of each root in the weight; the shares sum to 1.'),
    weight: z.number().describe('Weight before the cap; 0 where the review is not looked at.'),
    value: z.number().describe('What it says of the agent, 0 to 1.'),
    counted: z.boolean().describe('Whether it is part of the score.'),
    reason: z
      .enum(['weight_below_minimum', 'older_than_recent', 'beyond_three_of_root'])
      .nullable()
      .describe('Why it is not: too light by now, or outside of the recent ones that the score follows.'),
  })
  .meta({ id: 'ExplainedReview', description: "One review and its part in the agent's score." });

export const explainedTrustWire = z
  .object({
    agent_id: z.string().describe(fieldTexts.agent_id),
    trust_score: z.int().min(0).max(100).describe(fieldTexts.trust_score),
    unrounded: z.number().describe('The score before rounding.'),
    trust_policy: z.string().describe(fieldTexts.trust_policy),
    as_of: z
      .object({
        position: z.string().describe('The place in the log that the answer is of.'),
        time: z.string().describe('The time that it is of, RFC 3339 in UTC.'),
      })
      .meta({ id: 'Moment', description: 'The moment that an answer is of.' }),
    basis: z
      .enum(['all', 'recent'])
      .describe('Whether the score is that of all reviews, or that of the recent ones, which are clearly worse.'),
    prior: z.number().describe('The score that the agent began with.'),
    strength: z.number().describe('Weight of the prior, in reviews of full weight.'),
    contributions: z
      .array(contributionWire)
      .describe('The prior, then each root in alphabetical order. Their points sum to unrounded.'),
    reviews: z.array(reviewWire).describe('A page of the reviews, newest first.'),
  })
  .meta({ id: 'ExplainedTrust', description: 'A trust score with all that it is made of.' });
export type ExplainedTrustWire = z.infer<typeof explainedTrustWire>;

const changeWire = z
  .object({
    at: z.string().describe('When, RFC 3339 in UTC.'),
    position: z.string().describe('Place in the log.'),
    trust_score: z.int().min(0).max(100).describe('The score from then on.'),
    previous_score: z.int().min(0).max(100).nullable().describe('The score before; null at the beginning.'),
    trust_policy: z.string().describe(fieldTexts.trust_policy),
    cause: z
      .object({
        type: z.string().describe('Type of the event.'),
        event_id: z.string().describe('The event in the log.'),
        transaction_id: nullableText.describe('The exchange that was reviewed, if one was.'),
      })
      .meta({ id: 'TrustChangeCause', description: 'What changed a score.' }),
  })
  .meta({ id: 'TrustChange', description: 'One change of a trust score.' });

export const trustHistoryWire = z
  .object({
    agent_id: z.string().describe(fieldTexts.agent_id),
    history: z.array(changeWire).describe('A page of the changes, oldest first.'),
  })
  .meta({ id: 'TrustHistory', description: 'How a trust score came to be what it is.' });
export type TrustHistoryWire = z.infer<typeof trustHistoryWire>;

export function explainedTrustToWire(trust: ExplainedTrust): ExplainedTrustWire {
  return {
    agent_id: trust.agentId,
    trust_score: trust.trustScore,
    unrounded: trust.unrounded,
    trust_policy: trust.trustPolicy,
    as_of: trust.asOf,
    basis: trust.basis,
    prior: trust.prior,
    strength: trust.strength,
    contributions: trust.contributions.map(({ cappedWeight, kind, root, weight, mean, points }) => ({
      kind,
      root,
      weight,
      capped_weight: cappedWeight,
      mean,
      points,
    })),
    reviews: trust.reviews.map((review) => ({
      event_id: review.eventId,
      transaction_id: review.transactionId,
      reviewer_agent_id: review.reviewerAgentId,
      reviewed_at: review.reviewedAt,
      root_weights: review.rootWeights,
      weight: review.weight,
      value: review.value,
      counted: review.counted,
      reason: review.reason,
    })),
  };
}

export function trustHistoryToWire(agentId: string, history: readonly TrustChange[]): TrustHistoryWire {
  return {
    agent_id: agentId,
    history: history.map((change) => ({
      at: change.at,
      position: change.position,
      trust_score: change.trustScore,
      previous_score: change.previousScore,
      trust_policy: change.trustPolicy,
      cause: {
        type: change.cause.type,
        event_id: change.cause.eventId,
        transaction_id: change.cause.transactionId,
      },
    })),
  };
}
