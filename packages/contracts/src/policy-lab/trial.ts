import { z } from 'zod';
import { moment, nullableText, positionText } from '../text.ts';
import { policyJob } from './job.ts';

const score = (by: string): z.ZodInt => z.int().describe(`Trust score by the policy ${by}, 0 to 100.`);
const inForce = 'in force';
const onTrial = 'on trial';
const basis = z.enum(['all', 'recent']);
const threshold = z.int().describe('The score at which consumers decide otherwise.');
const constant = z.string().describe('Its name in the document: constants.strength, priors, formula.');
const value = z
  .union([
    z.number(),
    z.string(),
    z.array(z.string()),
    z.object({
      verified: z.number().describe('Prior of an agent that belongs to an organisation.'),
      unverified: z.number().describe('Prior of any other agent.'),
    }),
  ])
  .nullable();

/** What a trial found, of all agents. */
export const policyTrialResult = z.object({
  inForce: z.string().describe('Name of the policy in force, with which it was compared.'),
  position: positionText.nullable().describe('Log position up to which was read; null for an empty log.'),
  events: z.int().describe('Events read.'),
  agents: z.int().describe('Agents, in all universes.'),
  reviews: z.int().describe('Reviews that count for scores.'),
  changes: z
    .array(
      z.object({
        constant,
        inForce: value.describe('In the policy in force: its value, or both priors; null if they are as registered.'),
        onTrial: value.describe('In the policy on trial.'),
      }),
    )
    .describe('In what the two policies differ. Constants that only one formula has are left out.'),
  moved: z.int().describe('Agents whose score would be another.'),
  up: z.int().describe('Of those, higher.'),
  down: z.int().describe('Of those, lower.'),
  thresholds: z
    .array(
      z.object({
        threshold,
        rise: z.int().describe('Agents that would rise to it or above.'),
        fall: z.int().describe('Agents that would fall below it.'),
      }),
    )
    .describe('Who would cross which threshold.'),
  agentsKept: z
    .int()
    .describe('Agents that can be listed and looked at: those that move first in the order of the list.'),
});
export type PolicyTrialResult = z.infer<typeof policyTrialResult>;

/** A trial of a trust policy on the whole log. */
export const policyTrial = policyJob.extend({
  trialId: z.string().describe('Names the trial.'),
  result: policyTrialResult.nullable().describe('What was found; null unless it is done.'),
});
export type PolicyTrial = z.infer<typeof policyTrial>;

/** An agent that would move. */
export const policyTrialAgent = z.object({
  agentId: z.string().describe('The agent.'),
  universe: z.enum(['production', 'sandbox']).describe('Where it lives.'),
  trustScore: score(inForce),
  trialScore: score(onTrial),
  change: z.int().describe('By how much it would move; negative for a fall.'),
  crosses: z
    .array(
      z.object({
        threshold,
        direction: z.enum(['rises', 'falls']).describe('rises: to it or above; falls: below it.'),
      }),
    )
    .describe('The thresholds that it would cross.'),
});
export type PolicyTrialAgent = z.infer<typeof policyTrialAgent>;

const cap = (by: string): z.ZodDefault<z.ZodNullable<z.ZodNumber>> =>
  z
    .number()
    .nullable()
    .default(null)
    .describe(`Largest share of all weight that the root may have by the policy ${by}; null for anything else.`);
const isCut = (by: string): z.ZodDefault<z.ZodBoolean> =>
  z.boolean().default(false).describe(`Whether that cap cuts it by the policy ${by}.`);
const established = (by: string): z.ZodDefault<z.ZodNullable<z.ZodBoolean>> =>
  z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      `Whether the root was established when it spoke last, by the policy ${by}; null where there is no such thing.`,
    );
const record = (by: string): z.ZodDefault<z.ZodNullable<z.ZodInt>> =>
  z
    .int()
    .nullable()
    .default(null)
    .describe(`Record of its organisation by the policy ${by}; null without an organisation, and by formula v1.`);

/** Why an agent would move, and its score over time by both policies. */
export const policyTrialDetail = policyTrialAgent.extend({
  basis: basis.describe('By the policy in force, whether all reviews count, or recent ones alone.'),
  trialBasis: basis.describe('The same by the policy on trial.'),
  organisation: nullableText
    .default(null)
    .describe('Its organisation, if one of the policies keeps records of organisations.'),
  record: record(inForce),
  trialRecord: record(onTrial),
  effects: z
    .array(
      z.object({ constant, points: z.number().describe('What this change would do by itself, in points, unrounded.') }),
    )
    .describe('Largest first. They need not sum to the change: constants interact. Empty between formulas.'),
  parts: z
    .array(
      z.object({
        kind: z
          .enum(['prior', 'record', 'third_voice', 'root'])
          .describe(
            'The prior; what the record of its organisation takes from it; what the third voice adds; or the reviews of a root.',
          ),
        root: z
          .string()
          .nullable()
          .describe('The root; the organisation of a record; the root of the third voice; null for the prior.'),
        points: z.number().describe('Points of the score by the policy in force.'),
        trialPoints: z.number().describe('Points of the score by the policy on trial.'),
        cap: cap(inForce),
        trialCap: cap(onTrial),
        isCut: isCut(inForce),
        trialIsCut: isCut(onTrial),
        established: established(inForce),
        trialEstablished: established(onTrial),
      }),
    )
    .describe('Parts of the score that change, the largest changes first.'),
  history: z
    .array(
      z.object({
        position: positionText.describe('Log position of the event that led to the scores.'),
        at: moment('When it was recorded'),
        trustScore: score(inForce),
        trialScore: score(onTrial),
      }),
    )
    .describe('The scores after each event that changed one of them, oldest first; between two, both stay.'),
  isThinned: z.boolean().describe('Whether events were left out of the history, evenly, since there were too many.'),
});
export type PolicyTrialDetail = z.infer<typeof policyTrialDetail>;
