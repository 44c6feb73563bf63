import { z } from 'zod';
import { limits } from '../limits.ts';
import { nullableText } from '../text.ts';
import { policyJob } from './job.ts';

const seed = z.int().min(0).max(limits.simulationSeedMax);
const figureValue = z.number().nullable();
const never = 'null for a count that was not reached';
const title = z.string().describe('What is attacked, in words.');
const control = nullableText.describe(
  'The policy without the protection, which must miss the gates; null without one, and where figures have controls of their own.',
);
const ofControl = {
  best: figureValue.describe(`The value nearest to meeting the gate; ${never}.`),
  values: z.array(figureValue).describe(`For each seed; ${never}.`),
  passedSeeds: z.array(z.int()).describe('Seeds for which the control meets the gate, which it must miss.'),
};

/** The seeds of a simulation. */
export const simulationSeeds = z.object({
  first: seed.describe('The first seed; the others follow it.'),
  count: z.int().min(1).max(limits.simulationSeedsMax).describe('How many seeds.'),
});
export type SimulationSeeds = z.infer<typeof simulationSeeds>;

/** The figures of one attack. */
export const simulatedAttack = z.object({
  attack: z.string().describe('Its name.'),
  title,
  control,
  beyondTheTable: z.boolean().describe('Whether it is a variant without gates.'),
  proven: z
    .boolean()
    .nullable()
    .describe(
      'Whether all gates hold but for known misses, and each control misses its own, for all seeds; null without gates.',
    ),
  figures: z
    .array(
      z.object({
        figure: z.string().describe('What is measured.'),
        gate: z
          .object({
            relation: z.enum(['<', '<=', '>=', '=']).describe('How the figure must compare ...'),
            limit: z.number().describe('... with this.'),
          })
          .nullable()
          .describe('What the figure must be; null for one without a gate.'),
        worst: figureValue.describe(`The value nearest to missing the gate, or furthest beyond it; ${never}.`),
        values: z.array(figureValue).describe(`For each seed; ${never}.`),
        missedSeeds: z.array(z.int()).describe('Seeds for which the gate is missed.'),
        knownMisses: z
          .array(z.int())
          .describe(
            'Seeds for which this play misses the gate although the policy is as specified (docs/simulation.md); they prove nothing against it.',
          ),
        control: z
          .object(ofControl)
          .nullable()
          .describe(
            'The control of the attack; null without one or without a gate. The same as the first of `controls`.',
          ),
        controls: z
          .array(z.object({ name: z.string().describe('What the control lacks.'), ...ofControl }))
          .describe('All controls of the figure.'),
      }),
    )
    .describe('Its figures.'),
});
export type SimulatedAttack = z.infer<typeof simulatedAttack>;

/** A simulation of attacks on a trust policy. */
export const policySimulation = policyJob.extend({
  simulationId: z.string().describe('Names the simulation.'),
  seeds: simulationSeeds.describe('With which seeds.'),
  attacksTotal: z.int().describe('How many attacks there are.'),
  proven: z
    .boolean()
    .nullable()
    .describe(
      'Whether every gate holds but for known misses, and every control misses its gate; null unless it is done.',
    ),
  attacks: z.array(simulatedAttack).describe('The attacks that are done, in order; also while it runs.'),
});
export type PolicySimulation = z.infer<typeof policySimulation>;

/** The course of an attack for the first seed, for a chart. */
export const simulatedCourse = z.object({
  attack: z.string().describe('Its name.'),
  title,
  steps: z.string().describe('What the horizontal axis counts.'),
  seed: z.int().describe('The seed.'),
  marks: z
    .array(z.object({ score: z.number().describe('The score.'), label: z.string().describe('What it is.') }))
    .describe("Scores to mark: the gate's."),
  tracks: z
    .array(
      z.object({
        label: z.string().describe('Whose score.'),
        by: z.enum(['policy', 'control']).describe('By which of the two.'),
        steps: z.array(z.int()).describe('Steps, ascending; evenly left out where there are too many.'),
        scores: z.array(z.number().nullable()).describe('The score at each of these steps; null where there is none.'),
      }),
    )
    .describe('Scores over the steps.'),
});
export type SimulatedCourse = z.infer<typeof simulatedCourse>;
