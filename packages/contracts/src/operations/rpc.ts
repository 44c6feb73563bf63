import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, nullableText, positionText } from '../text.ts';

/** How a replay of the read models goes, or went. */
export const replayState = z.enum([
  'starting',
  'running',
  'switched',
  'rows_differ',
  'stopped',
  'failed',
  'interrupted',
]);
export type ReplayState = z.infer<typeof replayState>;

export function isReplayOver(state: ReplayState): boolean {
  return state !== 'starting' && state !== 'running';
}

/** How far a replay is. */
export const replayProgress = z.object({
  phase: z.enum(['build', 'compare', 'switch']).describe('build: apply the events; compare: every row; switch.'),
  events: z.int().describe('Events applied.'),
  eventsTotal: z.int().describe('Events in all, estimated where positions have gaps.'),
  fraction: z.number().describe('Part of the log that is done, 0 to 1.'),
  eventsPerSecond: z.int().describe('Events applied in a second, on average.'),
  remainingSeconds: z.number().nullable().describe('How long building will go on at this rate; null if unknown.'),
});

const sides = z.object({
  before: z.int().describe('By the policy before.'),
  after: z.int().describe('By the policy in force now.'),
});

/** What the switch to another trust policy has done to the scores. */
export const policySwitch = z.object({
  previousPolicy: z.string().describe('Name of the policy that was in force.'),
  position: positionText.describe('Log position from which on the policy is in force.'),
  agents: z.int().describe('Agents at the switch.'),
  moved: z.int().describe('Of those, agents whose score changed.'),
  trusted: sides.describe('Agents at 70 or above.'),
  caution: sides.describe('Agents at 50 or above.'),
});
export type PolicySwitch = z.infer<typeof policySwitch>;

/** What a replay has found and done. */
export const replayResult = z.object({
  events: z.int().describe('Events read from the log.'),
  durationMs: z.int().describe('From the start to the end.'),
  eventsPerSecond: z.int().describe('While building, without comparison and switch.'),
  position: positionText.nullable().describe('Log position that the new read models had at the end.'),
  switched: z.boolean().describe('Whether the new read models are live.'),
  comparison: z
    .object({
      position: positionText.nullable().describe('The position at which both were compared.'),
      rows: z.int().describe('Rows compared.'),
      rowsDiffering: z.int().describe('Rows that differ.'),
      tables: z
        .array(
          z.object({ table: z.string().describe('The table.'), rowsDiffering: z.int().describe('In this table.') }),
        )
        .describe('The tables whose rows differ.'),
    })
    .nullable()
    .describe('Null if the live read models were of another version: their rows mean something else.'),
  activation: policySwitch
    .nullable()
    .describe('What the switch to another trust policy did to scores; null for a replay that keeps the policy.'),
});

/** A replay of the read models. */
export const replay = z.object({
  replayId: z.string().describe('Names the replay.'),
  state: replayState.describe(
    'starting, running; switched: the new read models are live; rows_differ: nothing was switched; stopped: cancelled, or its instance ' +
      'stopped; failed: see `error`; interrupted: its process ended without a word, and nothing was switched.',
  ),
  acceptDifferences: z.boolean().describe('Whether it switches even if rows differ.'),
  policy: nullableText.describe(
    'Name of the trust policy that it puts in force; null for a replay that keeps the policy.',
  ),
  requestedBy: nullableText.describe(
    'Who asked for it: the kind of operator, with the name if there is one; null for the command line.',
  ),
  instanceId: nullableText.describe('The instance of trust-projection that it runs beside; null for the command line.'),
  requestedAt: moment('When it was asked for'),
  startedAt: nullableMoment('When it began to build'),
  endedAt: nullableMoment('When it ended'),
  progress: replayProgress.nullable().describe('How far it is, or was; null before it builds.'),
  result: replayResult.nullable().describe('What came of it; null unless it is switched or rows_differ.'),
  error: nullableText.describe('Why it failed or was interrupted.'),
});
export type Replay = z.infer<typeof replay>;

/** Starts a replay beside the instance that answers. Refusal: replay_in_progress. */
export const startReplay = unary('trust-projection', 'start_replay', {
  input: z.object({ acceptDifferences: z.boolean(), actor }),
  output: z.object({ replay }),
});

/** Newest first; or the named one, null for an unknown one. */
export const listReplays = unary('trust-projection', 'list_replays', {
  input: z.object({ replayId: nullableText }),
  output: z.object({ replays: z.array(replay) }),
});

/** Asks a running replay, on whichever instance, to stop. Refusals: replay_not_found, replay_ended. */
export const cancelReplay = unary('trust-projection', 'cancel_replay', {
  input: z.object({ replayId: z.string() }),
  output: z.object({ replay }),
});

/** The outbox of webhooks. */
export const webhookBacklog = z.object({
  webhooks: z.int().describe('Webhooks of all organisations.'),
  disabled: z.int().describe('Of those, disabled after their consumer answered 410.'),
  behind: z.int().describe('Of those, with more to send than may be queued for one.'),
  pending: z.int().describe('Queued messages that wait for delivery.'),
  oldestPendingAt: nullableMoment('When the change of the oldest queued message was'),
  deadLetters: z.int().describe('Messages that were given up.'),
});

/** A witness of the log, by what it published last. */
export const logWitness = z.object({
  name: z.string().describe('Its name, as its verifier key has it.'),
  size: z
    .int()
    .nullable()
    .describe(
      'Events of the newest checkpoint that it has cosigned and that this log begins with; null before one was read.',
    ),
  cosignedAt: nullableMoment('When it did, by its own clock'),
  contradictsLog: z
    .boolean()
    .describe('Whether it has cosigned what this log does not begin with: the log was cut, rewritten or forked.'),
  fault: nullableText.describe('That, or why it could not be read the last time; null if nothing is wrong.'),
});
export type LogWitness = z.infer<typeof logWitness>;

/** The newest head of the log's tree that was signed. */
export const signedCheckpoint = z.object({
  size: z.int().describe('Events that it covers.'),
  signedAt: moment('When it was signed'),
  fault: nullableText.describe('Why nothing is signed at present; null if nothing is wrong.'),
});

/** What an operator wants to know beside the state of the parts, as any instance knows it. */
export const getOperations = unary('trust-projection', 'get_operations', {
  input: z.object({}),
  output: z.object({
    /** How long the oldest event that the read models do not have yet has been in the log; 0 if they have all. */
    lagSeconds: z.number().nullable(),
    checkpoint: signedCheckpoint.nullable(),
    /** An instance of before they were watched leaves them out. */
    witnesses: z.array(logWitness).default([]),
    webhooks: webhookBacklog.nullable(),
    replay: replay.nullable(),
  }),
});

/** Steps that an instance may report, and names that it counts: more than there are. */
const stepsMax = 240;
const countedNamesMax = 500;
/** Steps since the Unix epoch. */
const firstStep = z.int().nonnegative();

/** What a gateway counted in each of the last steps, by name; null for a step before it started. Refusals are `refused <code>`. */
export const recentCounts = z.object({
  firstStep,
  counts: z
    .record(z.string().max(128), z.array(z.int().nonnegative().nullable()).max(stepsMax))
    .refine((counts) => Object.keys(counts).length <= countedNamesMax),
});
export type RecentCounts = z.infer<typeof recentCounts>;

/** Where the log and the read models were in each of the last steps, as an instance of trust-projection saw it; null where it did not. */
export const recentPositions = z.object({
  firstStep,
  values: z
    .array(z.object({ position: positionText.nullable(), headPosition: positionText.nullable() }).nullable())
    .max(stepsMax),
});
export type RecentPositions = z.infer<typeof recentPositions>;

/** What an instance says of itself on the bus. */
export const instanceAnswer = z.object({
  instanceId: z.string().max(64),
  version: z.string().max(64),
  startedAt: z.iso.datetime(),
  role: z.enum(['active', 'standby']).nullable(),
  fault: z.string().nullable(),
  poisonPosition: positionText.nullable(),
  /** Only if it was asked for. */
  recent: z.union([recentCounts, recentPositions]).optional().catch(undefined),
});
