import { hash, randomBytes } from 'node:crypto';
import { limits, type OperatorRole } from '@agent-trust/contracts';

const codeBytes = 32;
const lifetimeMs = limits.signInCodeMinutes * 60_000;

export type StartCodes = {
  /** A code that gives the role once. Only its SHA-256 is kept. */
  make(role: OperatorRole): string;
  /** The role of the code with this SHA-256; null from the second time on, when it has expired, and for any other. */
  redeem(codeHash: string): OperatorRole | null;
};

/** The sign-in codes of one run of `npm start`, in the memory of its process: one place, so each is redeemed once, and none outlives the run. */
export function createStartCodes(now: () => number = Date.now): StartCodes {
  const offers = new Map<string, { role: OperatorRole; expiresAt: number }>();
  return {
    make: (role) => {
      for (const [codeHash, { expiresAt }] of offers) if (expiresAt <= now()) offers.delete(codeHash);
      const code = randomBytes(codeBytes).toString('base64url');
      offers.set(hash('sha256', code, 'hex'), { role, expiresAt: now() + lifetimeMs });
      return code;
    },
    redeem: (codeHash) => {
      const offer = offers.get(codeHash);
      offers.delete(codeHash);
      return offer === undefined || offer.expiresAt <= now() ? null : offer.role;
    },
  };
}
