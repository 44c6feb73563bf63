import { z } from 'zod';
import { actor } from '../actor.ts';
import { replay } from '../operations/rpc.ts';
import { unary } from '../rpc/method.ts';
import { nullableMoment, nullableText, positionText } from '../text.ts';
import { trustPolicyDocument } from '../trust-policy/document.ts';
import { policyChoice } from './job.ts';
import { policySimulation, simulatedCourse, simulationSeeds } from './simulation.ts';
import { policyTrial, policyTrialAgent, policyTrialDetail } from './trial.ts';

/** A trust policy that a name can mean. */
export const knownPolicy = z.object({
  name: z.string().describe('Its name.'),
  inForce: z.boolean().describe('Whether it is in force.'),
  builtIn: z.boolean().describe('Whether it comes with the registry.'),
  activatedAt: nullableMoment('When it was last put in force; null for one that the log has not activated'),
  position: positionText.nullable().describe('Log position of that activation; null without one.'),
});

/** The policies that come with the registry, then those that the log has put in force, the newest of them. */
export const listPolicies = unary('trust-projection', 'list_policies', {
  input: z.object({}),
  output: z.object({ policies: z.array(knownPolicy.extend({ document: trustPolicyDocument })) }),
});

const requested = { policy: policyChoice, actor };

/** Starts a trial beside the instance that answers. Refusals: trust_policy_not_found, trust_policy_name_taken, policy_job_in_progress. */
export const startPolicyTrial = unary('trust-projection', 'start_policy_trial', {
  input: z.object(requested),
  output: z.object({ trial: policyTrial }),
});

/** Newest first; or the named one, null for an unknown one. */
export const listPolicyTrials = unary('trust-projection', 'list_policy_trials', {
  input: z.object({ trialId: nullableText }),
  output: z.object({ trials: z.array(policyTrial) }),
});

/** Asks a running trial, on whichever instance, to stop. Refusals: policy_job_not_found, policy_job_ended. */
export const cancelPolicyTrial = unary('trust-projection', 'cancel_policy_trial', {
  input: z.object({ trialId: z.string() }),
  output: z.object({ trial: policyTrial }),
});

/** A page of the agents that a trial keeps. Refusals: policy_job_not_found, policy_job_not_done. */
export const listPolicyTrialAgents = unary('trust-projection', 'list_policy_trial_agents', {
  input: z.object({ trialId: z.string(), limit: z.int(), offset: z.int() }),
  output: z.object({ agents: z.array(policyTrialAgent), total: z.int() }),
});

/** One agent of a trial; null if the trial does not keep it. Refusals: policy_job_not_found, policy_job_not_done. */
export const findPolicyTrialAgent = unary('trust-projection', 'find_policy_trial_agent', {
  input: z.object({ trialId: z.string(), agentId: z.string() }),
  output: z.object({ agent: policyTrialDetail.nullable() }),
});

/** Starts a simulation beside the instance that answers. Refusals: as of a trial. */
export const startPolicySimulation = unary('trust-projection', 'start_policy_simulation', {
  input: z.object({ ...requested, seeds: simulationSeeds }),
  output: z.object({ simulation: policySimulation }),
});

/** Newest first; or the named one, null for an unknown one. */
export const listPolicySimulations = unary('trust-projection', 'list_policy_simulations', {
  input: z.object({ simulationId: nullableText }),
  output: z.object({ simulations: z.array(policySimulation) }),
});

/** Asks a running simulation to stop. Refusals: policy_job_not_found, policy_job_ended. */
export const cancelPolicySimulation = unary('trust-projection', 'cancel_policy_simulation', {
  input: z.object({ simulationId: z.string() }),
  output: z.object({ simulation: policySimulation }),
});

/** The course of an attack that a simulation has run; null if it has not. Refusal: policy_job_not_found. */
export const findSimulatedCourse = unary('trust-projection', 'find_simulated_course', {
  input: z.object({ simulationId: z.string(), attack: z.string() }),
  output: z.object({ course: simulatedCourse.nullable() }),
});

/**
 * Builds the read models for a trust policy and puts it in force: a replay with the activation at its switch. Refusals: replay_in_progress,
 * trust_policy_not_found, trust_policy_active, trust_policy_name_taken, trust_policy_outdated.
 */
export const startPolicyActivation = unary('trust-projection', 'start_policy_activation', {
  input: z.object(requested),
  output: z.object({ replay }),
});
