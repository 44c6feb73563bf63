import type { A2aWireForm } from './plan.ts';

const rememberedTargetsMax = 10_000;

/** A set of the last targets, bounded: the oldest is forgotten first. */
const lastTargets = (): { has(url: string): boolean; add(url: string): void; delete(url: string): void } => {
  const urls = new Set<string>();
  return {
    has: (url) => urls.has(url),
    delete: (url) => void urls.delete(url),
    add: (url) => {
      urls.delete(url);
      urls.add(url);
      if (urls.size <= rememberedTargetsMax) return;
      for (const oldest of urls) {
        urls.delete(oldest);
        break;
      }
    },
  };
};

export type A2aWireFormMemory = {
  formOf(endpointUrl: string): A2aWireForm;
  /** The target has answered a message in this form, and not with an error. */
  answered(endpointUrl: string, form: A2aWireForm): void;
  /** The target has said that it does not know the other form. That says less: it may know that form, and not the method. */
  suppose(endpointUrl: string, form: A2aWireForm): void;
};

/**
 * Which wire form of A2A each target gets, so that only its first call pays for finding out; `superset` where nothing is known. A form that
 * was answered well gives way only to another that was. What is forgotten costs a target one retry.
 */
export function createA2aWireFormMemory(): A2aWireFormMemory {
  const versionOne = lastTargets();
  const answeredWell = lastTargets();
  const set = (endpointUrl: string, form: A2aWireForm): void =>
    form === '1.0' ? versionOne.add(endpointUrl) : versionOne.delete(endpointUrl);
  return {
    formOf: (endpointUrl) => (versionOne.has(endpointUrl) ? '1.0' : 'superset'),
    answered: (endpointUrl, form) => {
      set(endpointUrl, form);
      answeredWell.add(endpointUrl);
    },
    suppose: (endpointUrl, form) => {
      if (!answeredWell.has(endpointUrl)) set(endpointUrl, form);
    },
  };
}
