import type { ClaimIssued, ClaimReason } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';

/** A claim link that was issued and not redeemed. Times are RFC 3339; `expiresAt` null means never. */
export type PendingClaim = { tokenHash: string; reason: ClaimReason; expiresAt: string | null };

/**
 * Most claim links of one agent that wait at a time, for each of the two kinds below. A further one takes the place of the
 * oldest of its own kind: anonymous callers, who may request links as often as they like, cannot displace the link that an owner holds.
 */
export const pendingClaimsMax = 8;

const isUncredentialed = (reason: ClaimReason): boolean => {
  switch (reason) {
    case 'uncredentialed':
      return true;
    case 'registration':
    case 'organisation':
    case 'admin':
    case 'agent':
      return false;
    default:
      return unreachable(reason);
  }
};

/** True when the moment `at` is not before the claim's end; a claim is good until just before it. */
export function isExpired(claim: PendingClaim, at: string): boolean {
  return claim.expiresAt !== null && Date.parse(at) >= Date.parse(claim.expiresAt);
}

/** The waiting claims, oldest first, after one more was issued. */
export function addPendingClaim(claims: readonly PendingClaim[], issued: ClaimIssued['data']): PendingClaim[] {
  const added: PendingClaim = { tokenHash: issued.claimTokenHash, reason: issued.reason, expiresAt: issued.expiresAt };
  const sameKind = (claim: PendingClaim): boolean => isUncredentialed(claim.reason) === isUncredentialed(added.reason);
  const waiting = claims.filter((claim) => !isExpired(claim, issued.issuedAt));
  const crowdedOut = waiting.filter(sameKind).slice(0, -(pendingClaimsMax - 1));
  return [...waiting.filter((claim) => !crowdedOut.includes(claim)), added];
}

/**
 * The waiting claims after the key was rotated: the redeemed one is gone (`redeemedHash` null: a signature rotated), and so are all that
 * were issued on the word of the key that was replaced. Whoever stole that key keeps nothing by it.
 */
export function claimsAfterRotation(claims: readonly PendingClaim[], redeemedHash: string | null): PendingClaim[] {
  return claims.filter(({ tokenHash, reason }) => tokenHash !== redeemedHash && reason !== 'agent');
}
