import type { A2aWireForm } from './plan.ts';

const rememberedTargetsMax = 10_000;

/**
 * Which targets answered that they want A2A 1.0's wire form, so that only the first call pays for finding out. Bounded: the oldest
 * target is forgotten first, which costs it one retry.
 */
export const createA2aWireFormMemory = (): {
  formOf(endpointUrl: string): A2aWireForm;
  remember(endpointUrl: string, form: A2aWireForm): void;
} => {
  const versionOne = new Set<string>();
  return {
    formOf: (endpointUrl) => (versionOne.has(endpointUrl) ? '1.0' : 'superset'),
    remember: (endpointUrl, form) => {
      if (form === 'superset') {
        versionOne.delete(endpointUrl);
        return;
      }
      versionOne.add(endpointUrl);
      if (versionOne.size > rememberedTargetsMax) {
        for (const oldest of versionOne) {
          versionOne.delete(oldest);
          break;
        }
      }
    },
  };
};
export type A2aWireFormMemory = ReturnType<typeof createA2aWireFormMemory>;
