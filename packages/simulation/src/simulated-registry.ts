import { DomainError, type Universe } from '@agent-trust/contracts';
import { ensureReviewAllowed, type ReviewParty, trustPriorOf } from '@agent-trust/domain';
import type { Scoring } from './scoring/scoring.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What a reviewer says of an exchange: `score` is 1–10. */
export type Opinion = { success: boolean; score: number };

const production: Universe = { kind: 'production' };
const START = Date.UTC(2026, 0, 1);

/**
 * The registry as far as trust is concerned: its own rules decide who may review whom, and each review freezes the reviewer's score
 * and roots at that moment. Each review needs an exchange, which costs nothing if one party owns both sides. Time passes only by `pass`.
 */
export class SimulatedRegistry {
  private readonly scoring: Scoring;
  private readonly agents = new Map<string, ReviewParty>();
  private readonly refusals = new Map<string, number>();
  private nowMs = START;
  private acceptedCount = 0;

  constructor(scoring: Scoring) {
    this.scoring = scoring;
  }

  /** Registers an agent of an organisation (verified) or of nobody. Returns its id. */
  register(agentId: string, organisation: { orgId: string; orgDomain: string | null } | null = null): string {
    const { orgId, orgDomain } = organisation ?? { orgId: null, orgDomain: null };
    this.agents.set(agentId, { agentId, universe: production, orgId, orgDomain });
    this.scoring.setPrior(agentId, trustPriorOf(orgId !== null), orgId);
    return agentId;
  }

  /** An organisation takes over an agent of nobody. */
  adopt(agentId: string, orgId: string): void {
    this.agents.set(agentId, { ...this.agent(agentId), orgId });
    this.scoring.adopt?.(agentId, orgId);
  }

  isEstablished(orgId: string): boolean {
    return this.scoring.isEstablished?.(orgId) === true;
  }

  /** Asks for a review to be recorded; whether it was. */
  review(reviewerId: string, receiverId: string, { success, score }: Opinion): boolean {
    const reviewer = this.agent(reviewerId);
    const receiver = this.agent(receiverId);
    const trust = this.scoring.score(reviewerId);
    try {
      // No rule looks at the roots, which are expensive: they are computed once the review is allowed.
      ensureReviewAllowed({ ...reviewer, trustScore: trust, roots: {}, asOf: null }, receiver);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1);
      return false;
    }
    const roots = this.scoring.rootsOf(reviewerId, reviewer.orgDomain);
    this.scoring.record(receiverId, { reviewedAt: this.nowMs, reviewer: reviewerId, roots, trust, success, score });
    this.acceptedCount += 1;
    return true;
  }

  /** Whether organisations need vouchers before their praise counts in full. */
  get hasStanding(): boolean {
    return this.scoring.hasStanding === true;
  }

  pass(durationMs: number): void {
    this.nowMs += durationMs;
  }

  score(agentId: string): number {
    return this.scoring.score(agentId);
  }

  /** Reviews recorded so far. */
  get accepted(): number {
    return this.acceptedCount;
  }

  /** Reviews refused so far, by the code of the refusal. */
  refused(code: string): number {
    return this.refusals.get(code) ?? 0;
  }

  private agent(agentId: string): ReviewParty {
    const agent = this.agents.get(agentId);
    if (agent === undefined) throw new Error(`agent ${agentId} is not registered`);
    return agent;
  }
}
