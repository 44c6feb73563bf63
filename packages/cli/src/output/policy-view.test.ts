/** Bug: an agent's id, or a registry that is not what it says, controls the terminal of an operator who tries a policy. */
import type { PolicySimulation, PolicyTrial, PolicyTrialAgent } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { createOutput } from './output.ts';
import { jobLine, showSimulation, showTrial } from './policy-view.ts';

const written = (show: (out: ReturnType<typeof createOutput>) => void): string => {
  let text = '';
  const stream = { write: (more: string) => (text += more), isTTY: false };
  show(createOutput({ stdout: stream, stderr: stream, env: {} }, false));
  return text;
};
const hostile = 'agent\u001b[2J\u001b]0;owned\u0007';
const progress = { step: hostile, done: 1, total: 4, fraction: 0.25 };

it('shows progress and errors on one line without escape sequences', () => {
  const line = jobLine({ state: 'running', progress, error: null });
  expect(line).toContain('1 of 4 (25 %)');
  expect(line).not.toMatch(/\p{Cc}/u);
  expect(jobLine({ state: 'failed', progress: null, error: hostile })).not.toMatch(/\p{Cc}/u);
});

it('shows who would move, and which gates are missed, without escape sequences', () => {
  const trial = {
    policy: hostile,
    result: { in_force: 'v1', agents: 4, moved: 1, up: 0, down: 1, thresholds: [{ threshold: 70, rise: 0, fall: 1 }] },
  } as unknown as PolicyTrial;
  const agent: PolicyTrialAgent = {
    agent_id: hostile,
    universe: 'production',
    trust_score: 72,
    trial_score: 68,
    change: -4,
    crosses: [{ threshold: 70, direction: 'falls' }],
  };
  const moves = written((out) => showTrial(trial, [agent], out));
  expect(moves).toContain('1 of 4 would move, 0 up and 1 down');
  expect(moves).toMatch(/72 +68 +-4 +falls 70/u);
  const figure = {
    figure: hostile,
    gate: { relation: '<', limit: 70 },
    worst: null,
    values: [null],
    missed_seeds: [1],
    known_misses: [],
    controls: [{ name: hostile, best: null, values: [null], passed_seeds: [] }],
  };
  const known = { ...figure, figure: 'known', known_misses: [1], controls: [] };
  const simulation = {
    policy: 'v1',
    state: 'done',
    proven: false,
    attacks: [{ attack: hostile, figures: [figure, known] }],
  } as unknown as PolicySimulation;
  const gates = written((out) => showSimulation(simulation, out));
  expect(gates).toMatch(/outcome +a gate does not hold/u);
  expect(gates).toMatch(/< 70 +never +never +MISSED/u);
  expect(gates).toMatch(/known +< 70 +never +misses, as known/u);
  for (const text of [moves, gates]) expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});
