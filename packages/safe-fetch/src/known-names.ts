import { outboundLimits } from './limits.ts';

/** The names that were resolved, and promptly, when they were last asked for: a bounded number, and none of their addresses. */
export type KnownNames = { has(host: string): boolean; add(host: string): void; forget(host: string): void };

export const createKnownNames = (countMax: number = outboundLimits.namesKnownMax): KnownNames => {
  // In the order of their last answer.
  const names = new Set<string>();
  return {
    has: (host) => names.has(host),
    add: (host) => {
      names.delete(host);
      const [oldest] = names;
      if (names.size >= countMax && oldest !== undefined) names.delete(oldest);
      names.add(host);
    },
    forget: (host) => void names.delete(host),
  };
};
