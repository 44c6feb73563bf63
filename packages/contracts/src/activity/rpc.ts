import { z } from 'zod';
import { fieldTexts } from '../agent/field-texts.ts';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableText } from '../text.ts';

const trustScore = z.int().min(0).max(100);
const named = {
  agentId: z.string().describe(fieldTexts.agent_id),
  orgName: nullableText.describe(fieldTexts.org_name),
};

const newAgent = z
  .object({
    ...named,
    trustScore: trustScore.describe(fieldTexts.trust_score),
    registeredAt: moment('When'),
  })
  .meta({ id: 'NewAgent', description: 'An agent that was registered lately.' });

const mover = z
  .object({
    ...named,
    previousScore: trustScore.describe('The score before the first of its changes.'),
    trustScore: trustScore.describe('The score after the last of them.'),
    changeCount: z.int().describe('Number of its changes.'),
  })
  .meta({ id: 'Mover', description: 'How far the score of an agent has moved.' });

const activeDay = z
  .object({
    day: z.string().describe('The UTC day, such as 2026-01-15.'),
    registrations: z.int().describe('Agents registered.'),
    calls: z.int().describe('Exchanges started.'),
    reviews: z.int().describe('Reviews recorded.'),
  })
  .meta({ id: 'ActiveDay', description: 'What happened on one day in production.' });

export const activity = z.object({
  at: moment('When this was put together'),
  since: moment('Where the days begin'),
  newest: z
    .array(newAgent)
    .describe(`The newest agents with an endpoint, newest first, at most ${limits.newestAgentsShownMax}.`),
  moversSince: moment(
    `From when on changes of scores are considered: since, or later if there were more than ${limits.scoreChangesConsideredMax}`,
  ),
  rising: z
    .array(mover)
    .describe(`The agents whose score rose most, at most ${limits.moversShownMax}; equals by agent_id.`),
  falling: z.array(mover).describe(`The agents whose score fell most, at most ${limits.moversShownMax}.`),
  days: z.array(activeDay).describe('Every day since then, oldest first; the last one is today.'),
});
export type Activity = z.infer<typeof activity>;

/** What happened in production in the last days, today included. Up to a few seconds old: every reader gets the same. */
export const getActivity = unary('trust-projection', 'get_activity', {
  input: z.object({ days: z.number().int().min(1).max(limits.activityDaysMax) }),
  output: activity,
});
