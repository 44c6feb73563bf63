import { z } from 'zod';
import { limits } from '../limits.ts';
import { nullableMoment } from '../text.ts';

/** How an agent answers calls through the registry: counted, not said by anybody, and no part of its score. */
export const liveness = z
  .object({
    live: z
      .boolean()
      .describe(
        `Whether it answers: success_rate is at least ${limits.liveSuccessRateMin}, and the newest ${limits.liveFailuresMax} exchanges did not all fail.`,
      ),
    lastAnsweredAt: nullableMoment('When the last of its answers was complete; null if it answered none of them'),
    successRate: z.number().describe('Share of the exchanges that it answered, with whatever status, 0 to 1.'),
    p50AnswerMs: z
      .int()
      .nullable()
      .describe('Half of the answers took at most so many milliseconds; a stream until its end. Null without answers.'),
    p95AnswerMs: z
      .int()
      .nullable()
      .describe('Nineteen of twenty answers took at most so many milliseconds. Null without answers.'),
    timeoutShare: z.number().describe('Share of the exchanges that were given up because the agent took too long.'),
    callerOrganisations: z
      .int()
      .describe('Number of different organisations whose agents called; callers without one are not counted.'),
    exchanges: z.int().describe('From how many exchanges this is computed.'),
  })
  .meta({
    id: 'Liveness',
    description:
      `How the agent answered the last ${limits.livenessExchangesMax} calls in production that began at most ${limits.livenessDaysMax} days before the ` +
      'newest of them. Calls that the caller gave up are left out.',
  });
export type Liveness = z.infer<typeof liveness>;
