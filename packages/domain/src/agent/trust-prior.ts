/** Trust prior of an agent whose organisation, or the admin, vouches for it. */
export const verifiedTrustPrior = 75;
/** Trust prior of an agent that nobody vouches for. */
export const unverifiedTrustPrior = 40;

/** The score an agent starts from; the sandbox makes no difference. */
export function trustPriorOf(verified: boolean): number {
  return verified ? verifiedTrustPrior : unverifiedTrustPrior;
}
