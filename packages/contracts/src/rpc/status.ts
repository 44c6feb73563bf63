import { z } from 'zod';
import { positionText } from '../text.ts';
import { unary } from './method.ts';

/** State of one part that a service depends on. */
export const partStatus = z.object({
  status: z.enum(['ok', 'degraded', 'down']).describe('How it is.'),
  detail: z.string().optional().describe('What is wrong with it.'),
});

/** How far a read model has come. */
export const followerStatus = partStatus.extend({
  position: positionText.nullable().describe('How far it has read the event log.'),
  headPosition: positionText.nullable().describe('How far the event log goes.'),
  lag: z
    .number()
    .nullable()
    .describe('Events between the two if they can be counted cheaply, else the distance in positions.'),
});

/** What the projection knows of itself and of what it depends on; the gateway's GET /health is made from it. */
export const getStatus = unary('trust-projection', 'get_status', {
  input: z.object({}),
  output: z.object({
    database: partStatus,
    eventLog: partStatus,
    projection: followerStatus,
    /** The index over the log; absent from instances that have none yet. */
    logRecord: followerStatus.optional(),
  }),
});

/** Answers when the live read model has reached a position; refuses with `read_model_behind` after `timeoutMs`. */
export const waitForPosition = unary('trust-projection', 'wait_for_position', {
  input: z.object({ position: positionText, timeoutMs: z.number().int().positive() }),
  output: z.object({ position: positionText }),
});
