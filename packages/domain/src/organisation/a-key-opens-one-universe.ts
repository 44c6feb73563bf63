import type { CreatedOrganisation } from './state.ts';

/**
 * A new key is neither of the present ones. Keys are 256 random bits, so one that is was not minted but copied: a fault of the
 * program, and no refusal that a client could meet.
 */
export function ensureNewKey(keyHash: string, { productionKeyHash, sandboxKeyHash }: CreatedOrganisation): void {
  if (keyHash === productionKeyHash || keyHash === sandboxKeyHash) {
    throw new Error('a new key of an organisation is the same as one that it has');
  }
}
