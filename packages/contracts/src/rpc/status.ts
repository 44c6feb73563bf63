import { z } from 'zod';
import { positionText } from '../text.ts';
import { unary } from './method.ts';

/** State of a dependency of a service. */
export const partStatus = z.object({
  status: z.enum(['ok', 'degraded', 'down']).describe('Its state.'),
  detail: z.string().optional().describe('The fault.'),
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

/** Answered by any instance that carries out commands, for the gateway's GET /health and its readiness. */
export const getWriterStatus = unary('registry-write', 'get_writer_status', {
  input: z.object({}),
  output: z.object({}),
});

/** Whether the event log is the one of the read models, for those that write, and for readiness. Asked several times a second. */
export const getLogState = unary('trust-projection', 'get_log_state', {
  input: z.object({}),
  output: z.object({
    /** How often the operator has accepted another log than the one of the read models: `npm run log:accept`. */
    accepted: z.number(),
    /** Why the log is not the one of the read models, in words without addresses; null if it is. */
    fault: z.string().nullable(),
  }),
});

/** State of the projection and its dependencies, for the gateway's GET /health. */
export const getStatus = unary('trust-projection', 'get_status', {
  input: z.object({}),
  output: z.object({
    database: partStatus,
    eventLog: partStatus,
    projection: followerStatus,
    /** The index over the log; absent if the instance has none yet. */
    logRecord: followerStatus.optional(),
  }),
});
