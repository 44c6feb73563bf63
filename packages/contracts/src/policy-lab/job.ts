import { z } from 'zod';
import { trustPolicyDocument, trustPolicyName } from '../trust-policy/document.ts';
import { moment, nullableMoment, nullableText } from '../text.ts';

/** How a trial or simulation of a trust policy goes, or went. */
export const policyJobState = z.enum(['starting', 'running', 'done', 'stopped', 'abandoned', 'failed', 'interrupted']);
export type PolicyJobState = z.infer<typeof policyJobState>;

export function isPolicyJobOver(state: PolicyJobState): boolean {
  return state !== 'starting' && state !== 'running';
}

/** A policy by its name, or as a document. */
export const policyChoice = z
  .union([trustPolicyName, trustPolicyDocument])
  .meta({ description: 'The trust policy: its document, or the name of one that GET /ops/policies lists.' });
export type PolicyChoice = z.infer<typeof policyChoice>;

export const policyJobProgress = z.object({
  step: z
    .string()
    .describe(
      'Of a trial: compare (all agents), explain (those that are kept), keep (store them); of a simulation: the attack.',
    ),
  done: z.int().describe('Events of the step that are read, or runs of the simulation that are made.'),
  total: z.int().describe('Of how many; estimated where positions of the log have gaps.'),
  fraction: z.number().describe('Part of all that is done, 0 to 1.'),
});
export type PolicyJobProgress = z.infer<typeof policyJobProgress>;

/** What trials and simulations have in common. */
export const policyJob = z.object({
  state: policyJobState.describe(
    'starting, running; done; stopped: cancelled, or its instance stopped; abandoned: nobody asked for it for some time; failed: see `error`; ' +
      'interrupted: its process ended without a word.',
  ),
  policy: z.string().describe('Name of the trust policy that is tried.'),
  requestedBy: nullableText.describe('Who asked for it: the kind of operator, with the name if there is one.'),
  instanceId: nullableText.describe('The instance of trust-projection that it runs beside.'),
  requestedAt: moment('When it was asked for'),
  startedAt: nullableMoment('When it began'),
  endedAt: nullableMoment('When it ended'),
  progress: policyJobProgress.nullable().describe('How far it is, or was; null before it begins.'),
  error: nullableText.describe('Why it failed or was interrupted.'),
});
export type PolicyJob = z.infer<typeof policyJob>;
