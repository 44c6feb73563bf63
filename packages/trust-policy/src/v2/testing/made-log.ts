import { TrustLedger } from '../../ledger/trust-ledger.ts';
import { policyV1 } from '../../policy/trust-policy.ts';
import type { Review } from '../../v1/review.ts';
import { PRIOR_AFFILIATED, PRIOR_UNAFFILIATED } from '../rules.ts';
import type { TrustEvent } from '../trust-event.ts';
import { AGENTS_MAX, ORGANISATIONS, type RandomStep } from './random-log.ts';

const START = Date.UTC(2026, 0, 1);

type Agent = { id: string; organisation: string | null; domain: string | null; inSandbox: boolean };

/** What a policy of formula v2 makes of reviewers so far. */
export type FreezingLedger = {
  apply: (event: TrustEvent) => unknown;
  verdict: (agent: string) => { score: number };
  rootsOf: (agent: string, orgDomain: string | null) => Record<string, number>;
};

/**
 * Makes the events of a log out of random steps as a registry does: a review freezes the score and the roots that the policy in force makes of its
 * reviewer, v1 at first and the other one after each switch. Agents move between production and the sandbox of their organisation, where reviews do
 * nothing; a clone is one that is registered there.
 */
export class MadeLog {
  readonly ledgerV1 = new TrustLedger(policyV1);
  /** All reviews in production, as v1 takes them. */
  readonly reviewsV1 = new Map<string, Review[]>();
  private readonly agents: Agent[] = [];
  private readonly reviewIds: string[] = [];
  private readonly ledger: FreezingLedger;
  private nowMs = START;
  private isV2InForce = false;

  constructor(ledger: FreezingLedger) {
    this.ledger = ledger;
  }

  /** The event of a step, which the ledger has followed; null if the step is none of these events. */
  next(step: RandomStep): TrustEvent | null {
    const event = this.eventOf(step);
    if (event !== null) this.ledger.apply(event);
    return event;
  }

  private eventOf(step: RandomStep): TrustEvent | null {
    const agentAt = (place: number): Agent | undefined => this.agents[place % Math.max(1, this.agents.length)];
    switch (step.kind) {
      case 'register':
        return this.register(step);
      case 'adopt': {
        const agent = agentAt(step.agent);
        if (agent === undefined || agent.organisation !== null) return null;
        const organisation = ORGANISATIONS[step.organisation % ORGANISATIONS.length] ?? '';
        agent.organisation = organisation;
        return { type: 'adopted', agent: agent.id, organisation };
      }
      case 'move': {
        const agent = agentAt(step.agent);
        if (agent !== undefined && agent.organisation !== null) agent.inSandbox = !agent.inSandbox;
        return null;
      }
      case 'reserve': {
        const domain = `${ORGANISATIONS[step.organisation % ORGANISATIONS.length] ?? ''}.test`;
        const taker = ORGANISATIONS[step.taker % (ORGANISATIONS.length + 1)] ?? null;
        return { type: 'domain_reserved', domain, organisation: taker };
      }
      case 'switch':
        this.isV2InForce = !this.isV2InForce;
        return null;
      case 'void': {
        const reviews = step.reviews.map((place) => this.reviewIds[place % this.reviewIds.length] ?? '');
        return { type: 'voided', reviews: reviews.filter((id) => id !== '') };
      }
      case 'review':
        return this.review(step, agentAt(step.reviewer), agentAt(step.receiver));
      default:
        return step satisfies never;
    }
  }

  private register({ affiliation, domain }: Extract<RandomStep, { kind: 'register' }>): TrustEvent | null {
    if (this.agents.length >= AGENTS_MAX) return null;
    const organisation = ORGANISATIONS[affiliation] ?? null;
    // One of nobody in seven was verified by the admin.
    const base = organisation === null && affiliation !== 7 ? PRIOR_UNAFFILIATED : PRIOR_AFFILIATED;
    const id = `agent-${this.agents.length}`;
    const ownDomain = organisation === null ? (affiliation === 8 ? 'admin.test' : null) : `${organisation}.test`;
    const inSandbox = organisation !== null && affiliation === 5 && domain;
    this.agents.push({ id, organisation, domain: domain ? ownDomain : null, inSandbox });
    this.ledgerV1.setPrior(id, base);
    return { type: 'registered', agent: id, organisation, base };
  }

  private review(
    { gapMs, success, score, trust: given }: Extract<RandomStep, { kind: 'review' }>,
    reviewer: Agent | undefined,
    receiver: Agent | undefined,
  ): TrustEvent | null {
    if (reviewer === undefined || receiver === undefined || reviewer === receiver) return null;
    this.nowMs += gapMs;
    const { id: agent, organisation, domain: orgDomain } = reviewer;
    const trust = given ?? (this.isV2InForce ? this.ledger.verdict(agent) : this.ledgerV1.score(agent)).score;
    const roots = (this.isV2InForce ? this.ledger : this.ledgerV1).rootsOf(agent, orgDomain);
    const inProduction = !reviewer.inSandbox && !receiver.inSandbox;
    const id = `review-${this.reviewIds.length}`;
    this.reviewIds.push(id);
    if (inProduction) {
      const review = { reviewedAt: this.nowMs, reviewer: agent, roots, trust, success, score };
      this.ledgerV1.record(receiver.id, review);
      this.reviewsV1.set(receiver.id, [...(this.reviewsV1.get(receiver.id) ?? []), review]);
    }
    const facts = { id, receiver: receiver.id, reviewedAt: this.nowMs, success, score, inProduction };
    return { type: 'reviewed', review: { ...facts, reviewer: { agent, organisation, orgDomain, trust, roots } } };
  }

  get agentIds(): string[] {
    return this.agents.map(({ id }) => id);
  }
}
