import { SimulatedRegistry } from '../registry/simulated-registry.ts';
import type { Attack } from './attack.ts';
import { formRing } from './form-ring.ts';

/** A few organisations praise a target of theirs without end. */
export const ring: Attack = {
  name: 'ring',
  title: 'Ring of 1 and 2 org domains, 10 agents each, 100 rounds of 10/10',
  control: 'cap switched off',
  steps: 'reviews of the target by the ring',
  marks: [{ score: 70, label: 'below 70' }],
  beyondTheTable: false,
  run: (newScoring, random) => {
    const tracks = [1, 2].map((domainCount) => {
      const { scores } = formRing(new SimulatedRegistry(newScoring()), random, domainCount);
      return { label: domainCount === 1 ? '1 domain' : `${domainCount} domains`, scores };
    });
    const figures = tracks.map(({ label, scores }) => ({
      label: `${label}: highest score of the target`,
      value: Math.max(...scores),
      gate: { relation: '<', limit: 70 } as const,
    }));
    return { figures, tracks };
  },
};
