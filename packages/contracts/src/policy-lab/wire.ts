import { onWire } from '../wire-form.ts';
import { policySimulation, simulatedCourse } from './simulation.ts';
import { policyTrial, policyTrialAgent, policyTrialDetail } from './trial.ts';

export const trialWire = onWire(policyTrial).meta({
  id: 'PolicyTrial',
  description: 'A trial of a trust policy on the log.',
});
export const trialAgentWire = onWire(policyTrialAgent).meta({
  id: 'PolicyTrialAgent',
  description: 'An agent that would move under the policy on trial.',
});
export const trialDetailWire = onWire(policyTrialDetail).meta({
  id: 'PolicyTrialAgentDetail',
  description: 'Why an agent would move, and its score over time by both policies.',
});
export const simulationWire = onWire(policySimulation).meta({
  id: 'PolicySimulation',
  description: 'A simulation of attacks on a trust policy.',
});
export const courseWire = onWire(simulatedCourse).meta({
  id: 'SimulatedCourse',
  description: 'The course of an attack for one seed.',
});
