import type { TrustEvent } from '../trust-event.ts';

/** Log events of the examples in docs/trust-policy.md. */
const at = (month: number, day: number): number => Date.UTC(2026, month - 1, day);

const registered = (agent: string, organisation: string | null): TrustEvent => ({
  type: 'registered',
  agent,
  organisation,
  base: organisation === null ? 40 : 75,
});

const reviewed = (
  reviewedAt: number,
  [agent, organisation, trust]: readonly [agent: string, organisation: string, trust: number],
  receiver: string,
  { success, score }: { success: boolean; score: number },
): TrustEvent => ({
  type: 'reviewed',
  review: {
    id: `${agent} ${receiver} ${reviewedAt}`,
    receiver,
    reviewer: { agent, organisation, orgDomain: null, trust, roots: { [organisation]: 1 } },
    reviewedAt,
    success,
    score,
    inProduction: true,
  },
});

const good = (score: number): { success: boolean; score: number } => ({ success: true, score });
const failed = (score: number): { success: boolean; score: number } => ({ success: false, score });

const reviewers = [
  registered('a1', 'alpha'),
  registered('b1', 'beta'),
  registered('c1', 'gamma'),
  registered('n1', 'newco'),
  registered('n2', 'newco'),
];

/** An unaffiliated agent `t`; alpha, beta and gamma are established. */
export const agentExample: readonly TrustEvent[] = [
  ...reviewers,
  registered('t', null),
  reviewed(at(1, 1), ['a1', 'alpha', 80], 't', good(9)),
  reviewed(at(1, 11), ['b1', 'beta', 78], 't', good(10)),
  reviewed(at(1, 21), ['n1', 'newco', 75], 't', good(10)),
  reviewed(at(1, 21), ['n2', 'newco', 75], 't', good(10)),
  reviewed(at(1, 31), ['c1', 'gamma', 76], 't', good(8)),
  reviewed(at(2, 15), ['a1', 'alpha', 82], 't', good(9)),
];

/** An organisation `zeta`, whose agents disappoint; alpha and beta are established. */
export const recordExample: readonly TrustEvent[] = [
  ...reviewers,
  registered('zeta/1', 'zeta'),
  registered('zeta/2', 'zeta'),
  registered('zeta/3', 'zeta'),
  reviewed(at(3, 1), ['a1', 'alpha', 80], 'zeta/1', failed(1)),
  reviewed(at(3, 2), ['n1', 'newco', 75], 'zeta/2', failed(2)),
  reviewed(at(3, 3), ['b1', 'beta', 78], 'zeta/3', failed(1)),
];
