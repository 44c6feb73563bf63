import { DomainError } from '@agent-trust/contracts';

/** Places for what goes on at one time: so many in all, and so many of them for one owner. */
export type Slots = {
  /**
   * Takes a place for `owner` and answers what gives it back, once however often it is called.
   *
   * @throws DomainError overloaded
   */
  take(owner: string): () => void;
};

export function createSlots({ allMax, ownerMax }: { allMax: number; ownerMax: number }): Slots {
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    take: (owner) => {
      const own = takenBy.get(owner) ?? 0;
      if (own >= ownerMax) throw new DomainError('overloaded', `${ownerMax} such requests of yours are under way`);
      if (taken >= allMax) throw new DomainError('overloaded', `${allMax} such requests are under way`);
      takenBy.set(owner, own + 1);
      taken += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        taken -= 1;
        const left = (takenBy.get(owner) ?? 0) - 1;
        if (left === 0) takenBy.delete(owner);
        else takenBy.set(owner, left);
      };
    },
  };
}
