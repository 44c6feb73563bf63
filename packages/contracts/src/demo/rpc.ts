import { z } from 'zod';
import { actor } from '../actor.ts';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, nullableText } from '../text.ts';

/** What happened in one step of the story. */
export const demoStep = z.object({
  kind: z
    .enum(['chapter', 'registered', 'found', 'called', 'reviewed', 'judged'])
    .describe(
      'chapter: a heading; registered: an agent joined; found: a match; called: an exchange; reviewed: a review and the new score; judged: the verdict at the end.',
    ),
  at: moment('When it happened'),
  text: z.string().describe('The step in words.'),
  details: z.array(z.string()).describe('More about it, line by line.'),
  agentId: nullableText.describe('The agent that it is about; null for a chapter.'),
  callerAgentId: nullableText.describe('Who called or reviewed it; null in other steps.'),
  transactionId: nullableText.describe('The exchange; null in other steps than called and reviewed.'),
  trustScore: z.int().nullable().describe("The agent's score after the step; null if the step does not show it."),
  trustScoreBefore: z.int().nullable().describe('Its score before a review; null in other steps.'),
  recommendedAction: nullableText.describe('What the score means; null if the step does not show it.'),
});
export type DemoStep = z.infer<typeof demoStep>;

/** How the demo goes, or went. */
export const demo = z.object({
  state: z
    .enum(['idle', 'running', 'finished', 'failed', 'stopped'])
    .describe('idle: not played since the start; failed: see `error`; stopped: `npm start` stops.'),
  requestedBy: nullableText.describe('Who asked for it: the kind of operator, with the name if there is one.'),
  startedAt: nullableMoment('When it began'),
  endedAt: nullableMoment('When it ended'),
  steps: z.array(demoStep).describe('What has happened so far, oldest first.'),
  error: nullableText.describe('Why it failed.'),
});
export type Demo = z.infer<typeof demo>;

/** Plays the demo's story against the registry, in the process of `npm start`. Refusal: demo_in_progress. */
export const playDemo = unary('supervisor', 'play_demo', {
  input: z.object({ pauseMs: z.int().min(0).max(limits.demoPauseMsMax), actor }),
  output: z.object({ demo }),
});

export const getDemo = unary('supervisor', 'get_demo', {
  input: z.object({}),
  output: z.object({ demo }),
});
