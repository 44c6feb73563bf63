import type { z } from 'zod';
import type { TrustPolicyDocument } from '../trust-policy/document.ts';
import type { courseWire, simulationWire, trialAgentWire, trialDetailWire, trialWire } from './wire.ts';

export const examplePolicy: TrustPolicyDocument = {
  name: 'strict-2026',
  formula: 'v1',
  constants: {
    strength: 8,
    rootShareMax: 0.15,
    failureFactor: 0.3,
    badBelow: 0.5,
    badWeight: 2,
    weightMin: 0.000_001,
    halfLifeDays: 60,
    recentAgeDaysMax: 90,
    recentPerRootMax: 3,
    fastFallPoints: 10,
  },
  priors: null,
};

const asked = {
  policy: 'strict-2026',
  requested_by: 'operator night-watch',
  instance_id: 'trust-projection-1',
  requested_at: '2026-01-16T08:00:00.000Z',
  error: null,
};

export const exampleTrialStarting: z.infer<typeof trialWire> = {
  ...asked,
  trial_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  state: 'starting',
  started_at: null,
  ended_at: null,
  progress: null,
  result: null,
};

export const exampleTrial: z.infer<typeof trialWire> = {
  ...exampleTrialStarting,
  state: 'done',
  started_at: '2026-01-16T08:00:01.204Z',
  ended_at: '2026-01-16T08:00:02.310Z',
  progress: { step: 'keep', done: 3, total: 3, fraction: 1 },
  result: {
    in_force: 'v1',
    position: '604',
    events: 604,
    agents: 6,
    reviews: 6,
    changes: [{ constant: 'constants.strength', in_force: 5, on_trial: 8 }],
    moved: 3,
    up: 1,
    down: 2,
    thresholds: [
      { threshold: 70, rise: 0, fall: 1 },
      { threshold: 50, rise: 0, fall: 0 },
    ],
    agents_kept: 3,
  },
};

export const exampleTrialAgent: z.infer<typeof trialAgentWire> = {
  agent_id: 'corner-shop',
  universe: 'production',
  trust_score: 72,
  trial_score: 68,
  change: -4,
  crosses: [{ threshold: 70, direction: 'falls' }],
};

export const exampleDetail: z.infer<typeof trialDetailWire> = {
  ...exampleTrialAgent,
  basis: 'all',
  trial_basis: 'all',
  organisation: null,
  record: null,
  trial_record: null,
  effects: [{ constant: 'constants.strength', points: -4.1 }],
  parts: [
    {
      kind: 'root',
      root: 'acme.example',
      points: 14.6,
      trial_points: 6.9,
      cap: 0.2,
      trial_cap: 0.15,
      is_cut: false,
      trial_is_cut: true,
      established: null,
      trial_established: null,
    },
  ],
  history: [
    { position: '12', at: '2026-01-15T07:12:09.511Z', trust_score: 40, trial_score: 40 },
    { position: '604', at: '2026-01-16T07:12:09.511Z', trust_score: 72, trial_score: 68 },
  ],
  is_thinned: false,
};

const title = 'Ring of 1 and 2 org domains, 10 agents each, 100 rounds of 10/10';

export const exampleSimulation: z.infer<typeof simulationWire> = {
  ...asked,
  simulation_id: '0a7f4c2e-93d1-4c7b-8d55-6c2f1b0e9d8a',
  state: 'running',
  started_at: '2026-01-16T08:00:01.204Z',
  ended_at: null,
  progress: { step: 'bad-mouthing', done: 6, total: 30, fraction: 0.2 },
  seeds: { first: 1, count: 2 },
  attacks_total: 15,
  proven: null,
  attacks: [
    {
      attack: 'ring',
      title,
      control: 'cap switched off',
      beyond_the_table: false,
      proven: true,
      figures: [
        {
          figure: '1 domain: highest score of the target',
          gate: { relation: '<', limit: 70 },
          worst: 52,
          values: [52, 52],
          missed_seeds: [],
          known_misses: [],
          control: { best: 86, values: [86, 87], passed_seeds: [] },
          controls: [{ name: 'cap switched off', best: 86, values: [86, 87], passed_seeds: [] }],
        },
      ],
    },
  ],
};

export const exampleCourse: z.infer<typeof courseWire> = {
  attack: 'ring',
  title,
  steps: 'reviews of the target by the ring',
  seed: 1,
  marks: [{ score: 70, label: 'below 70' }],
  tracks: [{ label: '1 domain', by: 'policy', steps: [0, 1, 2], scores: [40, 44, 47] }],
};
