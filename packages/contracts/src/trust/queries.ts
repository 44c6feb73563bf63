import { z } from 'zod';
import { agentBlock } from '../agent/block.ts';
import { trustConfidence } from '../agent/confidence.ts';
import { fieldTexts } from '../agent/field-texts.ts';
import { liveness } from '../agent/liveness.ts';
import { profiledAgent, publicAgent, ratingRecord } from '../agent/views.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';
import { asOf } from './as-of.ts';

/** The agent and the viewing universe. Refusal: validation_failed for a moment in the future. */
const asked = { agentId: z.string(), universe };

/**
 * Where exchanges behind the moment were archived: the last position that was. What was counted by then, transactions and last activity, may
 * be less than it was at that time; scores and reviews are what they were.
 */
const archivedTo = positionText.optional();

/** An agent as it was. */
export const getPastAgent = unary('trust-projection', 'get_past_agent', {
  input: z.object({ ...asked, asOf }),
  output: z.object({ agent: publicAgent.nullable(), archivedTo }),
});

/** An agent as it was, with its newest ratings at that time. */
export const getPastAgentProfile = unary('trust-projection', 'get_past_agent_profile', {
  input: z.object({ ...asked, asOf }),
  output: z.object({ agent: profiledAgent.nullable(), ratings: z.array(ratingRecord), archivedTo }),
});

const trustScore = z.int().min(0).max(100);
const trustPolicy = z.string().describe(fieldTexts.trust_policy);

export const trustContribution = z
  .object({
    kind: z
      .enum(['prior', 'record', 'third_voice', 'root'])
      .describe(
        "The score at the start; what the record of the agent's organisation takes from that; what a third content organisation adds to it; what one root adds.",
      ),
    root: nullableText.describe(
      'The root: an organisation by its org_id, a domain, or none for all reviewers without either; of third_voice the third organisation; null for prior and record.',
    ),
    weight: z.number().describe('Weight before the cap; 0 for record and third_voice, which have none.'),
    cappedWeight: z
      .number()
      .describe('Weight after the cap: no root has more than its share of all weight; 0 for record and third_voice.'),
    mean: z.number().describe('Of prior and root: what this says of the agent, 0 to 1; 0 for record and third_voice.'),
    established: z
      .boolean()
      .optional()
      .describe('Of a root under formula v2: whether it counts as an established organisation here.'),
    cap: z.number().optional().describe('Of a root under formula v2: the share of all weight that it may have.'),
    organisation: z.string().optional().describe("Of record: the agent's organisation, by its org_id."),
    voice: z.number().optional().describe('Of third_voice: how strong it is, 0 to 1.'),
    points: z
      .number()
      .describe('Its part of unrounded, of a record zero or negative; all parts sum to unrounded exactly.'),
  })
  .meta({ id: 'TrustContribution', description: 'One part of a score.' });

export const explainedReview = z
  .object({
    eventId: z.string().describe('The event in the log.'),
    transactionId: z.string().describe('The exchange that was reviewed.'),
    reviewerAgentId: z.string().describe('Who reviewed it.'),
    reviewedAt: moment('When'),
    success: ratingRecord.shape.success,
    score: ratingRecord.shape.score,
    rootWeights: z
      .record(z.string(), z.number())
      .describe('The share of each root in the weight; the shares sum to 1.'),
    weight: z.number().describe('Weight before the cap; 0 if the review is not considered.'),
    value: z.number().describe('What it says of the agent, 0 to 1.'),
    counted: z.boolean().describe('Whether it is part of the score.'),
    reason: z
      .enum(['weight_below_minimum', 'older_than_recent', 'beyond_three_of_root', 'voided'])
      .nullable()
      .describe(
        'Why it is not: too light by now, outside of the recent reviews that the score follows, or voided by the operator.',
      ),
  })
  .meta({ id: 'ExplainedReview', description: "One review and its part in the agent's score." });

export const explainedTrust = z.object({
  agentId: z.string().describe(fieldTexts.agent_id),
  trustScore: trustScore.describe(
    'What the agent has earned, 0 to 100, also while a flag here sets what is shown elsewhere to 0.',
  ),
  flags: z
    .array(agentBlock)
    .describe('`suspended` or `retired` if the agent is: everywhere else it is shown with a score of 0.'),
  unrounded: z.number().describe('The score before rounding.'),
  trustPolicy,
  asOf: z
    .object({
      position: positionText.describe('The place in the log.'),
      time: moment('The time'),
    })
    .meta({ id: 'Moment', description: 'The moment that an answer describes.' }),
  basis: z
    .enum(['all', 'recent'])
    .describe('Whether the score comes from all reviews, or from the recent ones, which are clearly worse.'),
  prior: z.number().describe('The score that the agent began with.'),
  strength: z.number().describe('Weight of the prior, in reviews of full weight.'),
  contributions: z
    .array(trustContribution)
    .describe(
      'The prior, under formula v2 what an organisation and a third voice do to it, then each root in alphabetical order. Their points sum to unrounded.',
    ),
  confidence: trustConfidence.describe('How sure the score is.'),
  reviews: z.array(explainedReview).describe('A page of the reviews, newest first.'),
  liveness: liveness.nullable().describe(fieldTexts.liveness),
});
export type ExplainedTrust = z.infer<typeof explainedTrust>;

/** The parts of an agent's score, now or then, with a page of its reviews, newest first. */
export const explainTrust = unary('trust-projection', 'explain_trust', {
  input: z.object({ ...asked, asOf: asOf.nullable(), limit: z.number(), offset: z.number() }),
  output: z.object({ trust: explainedTrust.nullable(), reviewsTotal: z.number() }),
});

export const trustChange = z
  .object({
    at: moment('When'),
    position: positionText.describe('Place in the log.'),
    trustScore: trustScore.describe('The score from then on.'),
    previousScore: trustScore.nullable().describe('The score before; null at the beginning.'),
    trustPolicy,
    cause: z
      .object({
        type: z
          .string()
          .describe(
            "Type of the event; `record` if it changed the record of the agent's organisation, and by that its score.",
          ),
        eventId: z.string().describe('The event in the log.'),
        transactionId: nullableText.describe('The exchange that was reviewed, if one was.'),
      })
      .meta({ id: 'TrustChangeCause', description: 'What changed a score.' }),
  })
  .meta({ id: 'TrustChange', description: 'One change of a trust score.' });
export type TrustChange = z.infer<typeof trustChange>;

export const trustHistory = z.object({
  agentId: explainedTrust.shape.agentId,
  history: z.array(trustChange).describe('A page of the changes, oldest first.'),
});

/** A page of the changes of an agent's score, oldest first; null for an unknown agent. */
export const getTrustHistory = unary('trust-projection', 'get_trust_history', {
  input: z.object({ ...asked, limit: z.number(), offset: z.number() }),
  output: z.object({ history: z.array(trustChange).nullable(), total: z.number() }),
});
