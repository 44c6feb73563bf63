import type { TrustPolicy } from '../policy/trust-policy.ts';
import type { Verdict } from '../v1/formula.ts';
import { applyReview, effectiveTime } from '../v1/incremental/apply-review.ts';
import { type AgentEvidence, initialEvidence, type PairEvidence, withPrior } from '../v1/incremental/evidence.ts';
import { rootsOfReviewer, scoreOf } from '../v1/incremental/score-of.ts';
import type { Review } from '../v1/review.ts';
import type { TrustScore } from '../v1/trust-score.ts';
import { PairStore } from './pair-store.ts';

/** A review that was recorded before; its `reviewedAt` is when it counted as made. */
export type RecordedReview = { review: Review; isVoid: boolean };

type Account = { evidence: AgentEvidence; pairs: PairStore };

/** The trust scores of agents under one policy, in memory. Work per review is amortised logarithmic in the number of an agent's reviewers. */
export class TrustLedger {
  private readonly accounts = new Map<string, Account>();
  private readonly policy: TrustPolicy;

  constructor(policy: TrustPolicy) {
    this.policy = policy;
  }

  /** Adds an agent, or changes its prior; its evidence stays. */
  setPrior(agent: string, prior: number): void {
    const account = this.accounts.get(agent);
    if (account !== undefined) account.evidence = withPrior(account.evidence, prior);
    else this.accounts.set(agent, newAccount(prior));
  }

  /** Adds a review of an agent, in log order. Throws for an unknown agent. */
  record(agent: string, review: Review): Verdict {
    const account = this.account(agent);
    const { evidence, pairs } = account;
    const { policy } = this;
    const expired = pairs.takeExpired(effectiveTime(evidence, review), review.reviewer);
    const applied = applyReview({ evidence, pair: pairs.get(review.reviewer), expired, review, policy });
    account.evidence = applied.evidence;
    pairs.keep(applied.changedPairs, applied.removedPairs);
    return applied.score;
  }

  /**
   * Counts all reviews of an agent anew, in log order, as if there had never been the void ones; these only keep their numbers, so that those
   * of the others stay what they were.
   */
  recount(agent: string, reviews: Iterable<RecordedReview>): void {
    this.accounts.set(agent, newAccount(this.account(agent).evidence.prior));
    for (const { review, isVoid } of reviews) {
      const account = this.account(agent);
      if (isVoid) account.evidence = { ...account.evidence, reviewCount: account.evidence.reviewCount + 1 };
      else this.record(agent, review);
    }
  }

  score(agent: string): TrustScore {
    return scoreOf(this.account(agent).evidence, this.policy);
  }

  evidence(agent: string): AgentEvidence {
    return this.account(agent).evidence;
  }

  pairs(agent: string): PairEvidence[] {
    return this.account(agent).pairs.all();
  }

  /** The split to freeze when this agent reviews another; see `rootsOfReviewer`. */
  rootsOf(agent: string, orgDomain: string | null): Record<string, number> {
    return rootsOfReviewer({ orgDomain, evidence: this.accounts.get(agent)?.evidence ?? null }, this.policy);
  }

  private account(agent: string): Account {
    const account = this.accounts.get(agent);
    if (account === undefined) throw new Error(`Agent ${JSON.stringify(agent)} is not in the ledger.`);
    return account;
  }
}

const newAccount = (prior: number): Account => ({ evidence: initialEvidence(prior), pairs: new PairStore() });
