import { DomainError } from '@agent-trust/contracts';

/** Rule A: who is not trusted has no say in whom others trust. */
export const reviewerTrustScoreMin = 50;

/** Refuses with `caller_trust_too_low`. */
export function ensureTrustedReviewer(trustScore: number): void {
  if (trustScore < reviewerTrustScoreMin) {
    throw new DomainError(
      'caller_trust_too_low',
      `a reviewer needs a trust_score of at least ${reviewerTrustScoreMin}; the caller has ${trustScore}`,
    );
  }
}
