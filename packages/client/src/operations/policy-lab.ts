import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  PolicyActivationRequest,
  PolicySimulation,
  PolicySimulationRequest,
  PolicyTrial,
  PolicyTrialAgent,
  PolicyTrialAgentDetail,
  PolicyTrialAgentsQuery,
  PolicyTrialRequest,
  Replay,
  SimulatedCourse,
  TrustPolicies,
} from '../types.ts';
import { ask, get, pathOf, post } from './ask.ts';
import { listing, type PageOf } from './page.ts';

export type PolicyTrialAgentsPage = PageOf<'agents', PolicyTrialAgentsQuery, PolicyTrialAgent>;

const credentials = ['admin'] as const;
const trials = '/ops/policy-trials';
const simulations = '/ops/policy-simulations';
const trial = (trialId: string) => ({ ...pathOf(`${trials}/{trial_id}`, trialId), credentials });
const simulation = (simulationId: string) => ({
  ...pathOf(`${simulations}/{simulation_id}`, simulationId),
  credentials,
});

/** Trust policies: who would move, how attacks fare, and a switch; all require the operator's `adminToken`. */
export function policyLabOperations(transport: Transport) {
  const agentsOf = (trialId: string) =>
    listing<'agents', PolicyTrialAgentsQuery, PolicyTrialAgent>(transport, 'agents', {
      ...pathOf(`${trials}/{trial_id}/agents`, trialId),
      credentials,
    });
  return {
    /** The policies that can be named, which is in force, and the JSON Schema of a policy's document. */
    policies: (options?: RequestOptions): Promise<TrustPolicies> =>
      get(transport, { path: '/ops/policies', credentials }, options),

    /**
     * Tries a policy on the whole log, beside the registry; changes nothing. Ask for it: a trial that nobody asks for is abandoned. One runs at
     * a time: else a RegistryError `policy_job_in_progress`.
     */
    startPolicyTrial: (body: PolicyTrialRequest, options?: RequestOptions): Promise<PolicyTrial> =>
      post(transport, { path: trials, json: body, credentials }, options),

    /** The newest trials, newest first. */
    policyTrials: (options?: RequestOptions): Promise<PolicyTrial[]> =>
      get(transport, { path: trials, credentials }, options),

    /** A trial: its state, its progress and how many would move. */
    policyTrial: async (trialId: string, options?: RequestOptions): Promise<PolicyTrial> =>
      get(transport, trial(trialId), options),

    /** Asks a trial to stop; its state says when it has. */
    cancelPolicyTrial: async (trialId: string, options?: RequestOptions): Promise<PolicyTrial> =>
      ask(transport, { method: 'DELETE', ...trial(trialId), repeat: 'never' }, options),

    /** One page of the agents that would move: those that cross a threshold first, then the largest changes. */
    policyTrialAgents: async (
      trialId: string,
      query: PolicyTrialAgentsQuery = {},
      options?: RequestOptions,
    ): Promise<PolicyTrialAgentsPage> => agentsOf(trialId).page(query, options),

    /** The same, a page at a time. */
    eachPolicyTrialAgent: (
      trialId: string,
      query: PolicyTrialAgentsQuery = {},
      options?: RequestOptions,
    ): AsyncGenerator<PolicyTrialAgent, void, undefined> => agentsOf(trialId).each(query, options),

    /** Why an agent would move, and its score over time by both policies. */
    policyTrialAgent: async (
      trialId: string,
      agentId: string,
      options?: RequestOptions,
    ): Promise<PolicyTrialAgentDetail> =>
      get(transport, { ...pathOf(`${trials}/{trial_id}/agents/{agent_id}`, trialId, agentId), credentials }, options),

    /** Attacks a policy in the simulation. Ask for it, as for a trial; one runs at a time. */
    startPolicySimulation: (body: PolicySimulationRequest, options?: RequestOptions): Promise<PolicySimulation> =>
      post(transport, { path: simulations, json: body, credentials }, options),

    /** The newest simulations, newest first. */
    policySimulations: (options?: RequestOptions): Promise<PolicySimulation[]> =>
      get(transport, { path: simulations, credentials }, options),

    /** A simulation: its state, its progress and the gates of the attacks that are done. */
    policySimulation: async (simulationId: string, options?: RequestOptions): Promise<PolicySimulation> =>
      get(transport, simulation(simulationId), options),

    /** Asks a simulation to stop; its state says when it has. */
    cancelPolicySimulation: async (simulationId: string, options?: RequestOptions): Promise<PolicySimulation> =>
      ask(transport, { method: 'DELETE', ...simulation(simulationId), repeat: 'never' }, options),

    /** The course of an attack for the first seed, for a chart. */
    simulatedCourse: async (simulationId: string, attack: string, options?: RequestOptions): Promise<SimulatedCourse> =>
      get(
        transport,
        { ...pathOf(`${simulations}/{simulation_id}/attacks/{attack}`, simulationId, attack), credentials },
        options,
      ),

    /** Puts a policy in force, by a replay that `replay` shows. @throws RegistryError replay_in_progress, trust_policy_active */
    activatePolicy: (body: PolicyActivationRequest, options?: RequestOptions): Promise<Replay> =>
      post(transport, { path: '/ops/policy/activate', json: body, credentials }, options),
  };
}
