import type { ClaimIssued, ClaimReason } from '@agent-trust/contracts';

/** A claim link that was issued and not redeemed. Times are RFC 3339; `expiresAt` null means never. */
export type PendingClaim = { tokenHash: string; reason: ClaimReason; expiresAt: string | null };

/**
 * Limit of pending claims of one agent, separately for anonymous requests and for all others; a new claim replaces the oldest of its own
 * kind. So anonymous callers, who may request any number of links, cannot displace a link that the owner holds.
 */
export const pendingClaimsMax = 8;

/** A claim is valid until just before `expiresAt`. */
export function isExpired(claim: PendingClaim, at: string): boolean {
  return claim.expiresAt !== null && Date.parse(at) >= Date.parse(claim.expiresAt);
}

const isAnonymous: Readonly<Record<ClaimReason, boolean>> = {
  registration: false,
  organisation: false,
  admin: false,
  agent: false,
  uncredentialed: true,
};

/** The pending claims, oldest first, after one more was issued. */
export function addPendingClaim(claims: readonly PendingClaim[], issued: ClaimIssued['data']): PendingClaim[] {
  const added: PendingClaim = { tokenHash: issued.claimTokenHash, reason: issued.reason, expiresAt: issued.expiresAt };
  const pending = claims.filter((claim) => !isExpired(claim, issued.issuedAt));
  const sameKind = pending.filter((claim) => isAnonymous[claim.reason] === isAnonymous[added.reason]);
  const displaced = sameKind.slice(0, -(pendingClaimsMax - 1));
  return [...pending.filter((claim) => !displaced.includes(claim)), added];
}

/**
 * The pending claims after a key rotation: without the redeemed one (`redeemedHash` null: rotated by signature), and without those that
 * the replaced key requested, so that a thief of that key keeps no link.
 */
export function claimsAfterRotation(claims: readonly PendingClaim[], redeemedHash: string | null): PendingClaim[] {
  return claims.filter(({ tokenHash, reason }) => tokenHash !== redeemedHash && reason !== 'agent');
}
