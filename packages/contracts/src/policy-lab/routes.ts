import { z } from 'zod';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import { exampleActivation, replayWire } from '../operations/routes.ts';
import { agentId } from '../text.ts';
import { trustPolicyDocument, trustPolicyJsonSchemas } from '../trust-policy/document.ts';
import { onWire } from '../wire-form.ts';
import {
  examplePolicy,
  exampleCourse,
  exampleDetail,
  exampleSimulation,
  exampleTrial,
  exampleTrialAgent,
  exampleTrialStarting,
} from './examples.ts';
import { policyChoice } from './job.ts';
import { knownPolicy } from './rpc.ts';
import { simulationSeeds } from './simulation.ts';
import { courseWire, simulationWire, trialAgentWire, trialDetailWire, trialWire } from './wire.ts';

const policies = z
  .object({
    in_force: z.string().describe('Name of the policy by which scores are computed now.'),
    policies: z
      .array(
        onWire(knownPolicy).extend({ document: trustPolicyDocument.describe('The policy itself, as it is written.') }),
      )
      .describe('The policies that come with the registry, and those that were in force, the newest of them.'),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of a document of formula v1, from which a form can be made.'),
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())).describe('The same for each formula.'),
  })
  .meta({ id: 'TrustPolicies', description: 'The trust policies that can be named.' });

const examplePolicies = {
  in_force: 'v1',
  policies: [
    {
      name: 'v1',
      in_force: true,
      built_in: true,
      activated_at: null,
      position: null,
      document: { ...examplePolicy, name: 'v1' },
    },
  ],
  schema: trustPolicyJsonSchemas.v1,
  schemas: trustPolicyJsonSchemas,
};

const viewed = { ...operatorRoute, method: 'GET', operatorRole: 'viewer' } as const;
const bodyBytesMax = limits.policyBodyBytesMax;
const policyErrors = ['trust_policy_not_found', 'trust_policy_name_taken'] as const;
const request = z.strictObject({ policy: policyChoice });
const trialParams = z.object({ trial_id: z.uuid().describe('Names the trial.') });
const simulationParams = z.object({ simulation_id: z.uuid().describe('Names the simulation.') });
const given = (value: object, more: object = {}): NonNullable<Route['bodyExamples']> => ({
  document: { summary: 'A policy as a document', value: { policy: value, ...more } },
});
const kept = `The newest ${limits.policyJobsKeptMax} are kept, each for a day.`;
const unasked = `A job that nobody asks for (GET) within ${limits.policyJobUnaskedSeconds} seconds is abandoned.`;

export const listPoliciesRoute = route({
  ...viewed,
  path: '/ops/policies',
  operationId: 'listPolicies',
  summary: 'Trust policies: in force, known by name, and the schema of one',
  description:
    "Whose documents can be changed and tried: POST /ops/policy-trials. The schema is that of a policy's document.",
  answers: { 200: answer('The policies.', policies, examplePolicies) },
});

export const startPolicyTrialRoute = route({
  ...operatorRoute,
  path: '/ops/policy-trials',
  operationId: 'startPolicyTrial',
  summary: 'Try a trust policy on the log: who would move?',
  description:
    'Computes every score of the log under the policy and under the one in force, in a process of its own beside one instance of trust-projection. ' +
    `Changes nothing. The policies may be of different formulas. One trial runs at a time. ${unasked}`,
  bodyBytesMax,
  body: request.meta({ id: 'PolicyTrialRequest', description: 'Which policy to try.' }),
  bodyExamples: given(examplePolicy),
  answers: {
    202: answer(
      'The trial begins: GET /ops/policy-trials/{trial_id} shows how it goes.',
      trialWire,
      exampleTrialStarting,
    ),
  },
  errors: [...policyErrors, 'policy_job_in_progress'],
});

export const listPolicyTrialsRoute = route({
  ...viewed,
  path: '/ops/policy-trials',
  operationId: 'listPolicyTrials',
  summary: 'Trials of trust policies',
  description: `Newest first. ${kept}`,
  answers: { 200: answer('The trials.', z.array(trialWire), [exampleTrial]) },
});

export const getPolicyTrialRoute = route({
  ...viewed,
  path: '/ops/policy-trials/{trial_id}',
  operationId: 'getPolicyTrial',
  summary: 'A trial: its state, progress, and who would move',
  description: `The progress is renewed every second while it runs. ${unasked}`,
  params: trialParams,
  answers: { 200: answer('The trial.', trialWire, exampleTrial) },
  errors: ['policy_job_not_found'],
});

export const cancelPolicyTrialRoute = route({
  ...operatorRoute,
  method: 'DELETE',
  path: '/ops/policy-trials/{trial_id}',
  operationId: 'cancelPolicyTrial',
  summary: 'Cancel a trial',
  description: 'Asks it to stop, wherever it runs: it does within seconds.',
  params: trialParams,
  answers: { 202: answer('It was asked to stop; its state says when it has.', trialWire, exampleTrialStarting) },
  errors: ['policy_job_not_found', 'policy_job_ended'],
});

export const listPolicyTrialAgentsRoute = route({
  ...viewed,
  path: '/ops/policy-trials/{trial_id}/agents',
  operationId: 'listPolicyTrialAgents',
  summary: 'Agents that would move',
  description: `Those that cross a threshold first, then by the size of the change. The first ${limits.policyTrialAgentsMax} are kept.`,
  params: trialParams,
  query: z.object(
    pageQuery(
      'Agents',
      limits.policyTrialAgentsPageMax,
      limits.policyTrialAgentsPageDefault,
      limits.policyTrialAgentsMax,
    ),
  ),
  answers: {
    200: answer('One page of agents.', z.array(trialAgentWire), [exampleTrialAgent], { headers: pageHeaders }),
  },
  errors: ['policy_job_not_found', 'policy_job_not_done'],
});

export const getPolicyTrialAgentRoute = route({
  ...viewed,
  path: '/ops/policy-trials/{trial_id}/agents/{agent_id}',
  operationId: 'getPolicyTrialAgent',
  summary: 'An agent under both policies: why it moves, and its score over time',
  description: 'One of the agents that the trial keeps.',
  params: trialParams.extend({ agent_id: agentId }),
  answers: { 200: answer('The agent.', trialDetailWire, exampleDetail) },
  errors: ['policy_job_not_found', 'policy_job_not_done', 'policy_trial_agent_not_found'],
});

export const startPolicySimulationRoute = route({
  ...operatorRoute,
  path: '/ops/policy-simulations',
  operationId: 'startPolicySimulation',
  summary: 'Attack a trust policy in the simulation',
  description:
    "Runs the attacks of the gate table of the policy's formula against the policy and its controls, in a process of its own and of low priority " +
    `beside one instance of trust-projection. The same seeds give the same figures. One simulation runs at a time. ${unasked}`,
  bodyBytesMax,
  body: request
    .extend({
      seeds: z
        .strictObject({
          first: simulationSeeds.shape.first.default(1),
          count: simulationSeeds.shape.count.default(1),
        })
        .prefault({})
        .describe('With which seeds.'),
    })
    .meta({ id: 'PolicySimulationRequest', description: 'Which policy to attack, with which seeds.' }),
  bodyExamples: given(examplePolicy, { seeds: { first: 1, count: 2 } }),
  answers: {
    202: answer(
      'The simulation begins: GET /ops/policy-simulations/{simulation_id} shows how it goes.',
      simulationWire,
      exampleSimulation,
    ),
  },
  errors: [...policyErrors, 'policy_job_in_progress'],
});

export const listPolicySimulationsRoute = route({
  ...viewed,
  path: '/ops/policy-simulations',
  operationId: 'listPolicySimulations',
  summary: 'Simulations of attacks on trust policies',
  description: `Newest first. ${kept}`,
  answers: { 200: answer('The simulations.', z.array(simulationWire), [exampleSimulation]) },
});

export const getPolicySimulationRoute = route({
  ...viewed,
  path: '/ops/policy-simulations/{simulation_id}',
  operationId: 'getPolicySimulation',
  summary: 'A simulation: its state, progress and gates',
  description: `Attacks are shown as soon as they are done. ${unasked}`,
  params: simulationParams,
  answers: { 200: answer('The simulation.', simulationWire, exampleSimulation) },
  errors: ['policy_job_not_found'],
});

export const cancelPolicySimulationRoute = route({
  ...operatorRoute,
  method: 'DELETE',
  path: '/ops/policy-simulations/{simulation_id}',
  operationId: 'cancelPolicySimulation',
  summary: 'Cancel a simulation',
  description: 'Asks it to stop, wherever it runs: it does within seconds.',
  params: simulationParams,
  answers: { 202: answer('It was asked to stop; its state says when it has.', simulationWire, exampleSimulation) },
  errors: ['policy_job_not_found', 'policy_job_ended'],
});

export const getSimulatedCourseRoute = route({
  ...viewed,
  path: '/ops/policy-simulations/{simulation_id}/attacks/{attack}',
  operationId: 'getSimulatedCourse',
  summary: 'The course of an attack, for a chart',
  description: 'Scores over the steps of the attack, for the first seed, by the policy and by its control.',
  params: simulationParams.extend({
    attack: z
      .string()
      .regex(/^[a-z-]{1,64}$/u, { message: 'must be the name of an attack' })
      .describe('Its name.'),
  }),
  answers: { 200: answer('The course.', courseWire, exampleCourse) },
  errors: ['policy_job_not_found', 'policy_attack_not_found'],
});

export const activatePolicyRoute = route({
  ...operatorRoute,
  operatorRole: 'admin',
  path: '/ops/policy/activate',
  operationId: 'activatePolicy',
  summary: 'Put a trust policy in force',
  description:
    'Builds the read models for the policy from the first event, in a process of its own beside one instance of trust-projection, while the live ones ' +
    'serve; compares all that does not depend on the policy, then appends TrustPolicyActivated and switches in one step. It is a replay: GET ' +
    '/ops/replays/{replay_id} shows how it goes, DELETE stops it before the switch, and none runs beside another.',
  bodyBytesMax,
  body: request.meta({ id: 'PolicyActivationRequest', description: 'Which policy to put in force.' }),
  bodyExamples: { name: { summary: 'A policy by its name', value: { policy: 'v1' } }, ...given(examplePolicy) },
  answers: {
    202: answer('The switch begins: GET /ops/replays/{replay_id} shows how it goes.', replayWire, exampleActivation),
  },
  errors: [...policyErrors, 'replay_in_progress', 'trust_policy_active', 'trust_policy_outdated'],
});

/** In the order of the OpenAPI document. */
export const policyLabRoutes: readonly Route[] = [
  listPoliciesRoute,
  startPolicyTrialRoute,
  listPolicyTrialsRoute,
  getPolicyTrialRoute,
  cancelPolicyTrialRoute,
  listPolicyTrialAgentsRoute,
  getPolicyTrialAgentRoute,
  startPolicySimulationRoute,
  listPolicySimulationsRoute,
  getPolicySimulationRoute,
  cancelPolicySimulationRoute,
  getSimulatedCourseRoute,
  activatePolicyRoute,
];
