import { DomainError } from '@agent-trust/contracts';
import { ConcurrencyLimiter } from '@agent-trust/limits';

/** Limits what is under way at one time: for each owner, and for all. */
export type OwnerLimiter = {
  /**
   * Counts one request of `owner` until the function that is returned is called.
   *
   * @throws DomainError overloaded
   */
  acquire(owner: string): () => void;
};

export function createOwnerLimiter({ allMax, ownerMax }: { allMax: number; ownerMax: number }): OwnerLimiter {
  const limiter = new ConcurrencyLimiter();
  return {
    acquire: (owner) => {
      const { full, release } = limiter.tryAcquire([
        { key: `owner ${owner}`, max: ownerMax, whose: `${ownerMax} such requests of yours` },
        { key: 'all', max: allMax, whose: `${allMax} such requests` },
      ]);
      if (full !== undefined) throw new DomainError('overloaded', `${full.whose} are under way`);
      return release;
    },
  };
}
