import type { TrustPolicyV2 } from '../../policy/trust-policy-v2.ts';
import { averagesOfAgent } from '../agent-score.ts';
import type { Subject } from '../entry.ts';
import { isEstablishedOrganisation } from '../established.ts';
import { explainAgent, type ExplainedAgent } from '../explain.ts';
import type { EvidenceV2 } from '../incremental/evidence.ts';
import { recordOf } from '../organisation-record.ts';
import { planReview, type ReviewPlan } from '../plan-review.ts';
import { splitOfReviewer } from '../roots.ts';
import { RECORD_MAX, type RulesV2, rulesOfV2 } from '../rules.ts';
import type { RecordedReviewV2, TrustEvent } from '../trust-event.ts';
import type { Verdict } from '../../v1/formula.ts';
import { type ScoreLine, verdictAt } from '../verdict.ts';
import type { EvidenceView } from '../view.ts';
import { Account } from './account.ts';

type AgentState = {
  organisation: string | null;
  base: number;
  account: Account;
  line: ScoreLine;
  verdict: Verdict;
};
type OrganisationState = {
  agents: Set<string>;
  record: Account;
  /** Null until it first answers for an agent: until then it is the record. */
  standing: Account | null;
  recordValue: number;
  standingValue: number;
  /** Voucher → its vouching reviews that are not void, oldest first. */
  vouchers: Map<string, string[]>;
};

/** A piece of evidence that an event has changed. */
export type ChangedEvidence = { subject: Subject; evidence: EvidenceV2; changedRoots: readonly string[] | null };

type LedgerOptions = { onScored?: (agent: string) => void; remembers?: boolean };

/** The trust scores of agents and the records of organisations under a policy of formula v2, in memory, carried forward event by event. */
export class TrustLedgerV2 {
  private readonly rules: RulesV2;
  private readonly agents = new Map<string, AgentState>();
  private readonly organisations = new Map<string, OrganisationState>();
  private readonly domains = new Map<string, string | null>();
  /** What a review was added to, by its name, in case it is voided. */
  private readonly plans = new Map<string, { subjects: Subject[]; vouch: ReviewPlan['vouch'] }>();
  private readonly voided = new Set<string>();
  private readonly onScored: (agent: string) => void;
  private readonly remembers: boolean;

  /**
   * @param onScored called with each agent whose score an event may have changed
   * @param remembers whether reviews can be voided, for which each is kept with what it was added to; without, a `voided` event throws
   */
  constructor(policy: TrustPolicyV2, { onScored = () => {}, remembers = true }: LedgerOptions = {}) {
    this.rules = rulesOfV2(policy);
    this.onScored = onScored;
    this.remembers = remembers;
  }

  /** Follows one event of the log. Returns the evidence that a review was added to, in order; of other events nothing. Throws for an unknown agent. */
  apply(event: TrustEvent): ChangedEvidence[] {
    switch (event.type) {
      case 'registered':
        this.register(event);
        return [];
      case 'adopted':
        this.adopt(event);
        return [];
      case 'domain_reserved':
        if (event.organisation !== null) this.organisation(event.organisation);
        this.domains.set(event.domain, event.organisation);
        return [];
      case 'reviewed':
        return this.review(event.review);
      case 'voided':
        this.voidReviews(event.reviews);
        return [];
      default:
        return event satisfies never;
    }
  }

  verdict(agent: string): Verdict {
    return this.agent(agent).verdict;
  }

  /** The score with its parts, and the organisation with its record that it was made with. */
  explain(agent: string): ExplainedAgent & { organisation: { id: string; record: number } | null } {
    const { organisation: id, base, account } = this.agent(agent);
    const organisation = id === null ? null : { id, record: this.record(id) };
    return { ...explainAgent(account.view(), { base, organisation }, this.rules), organisation };
  }

  /** 0–75. */
  record(organisation: string): number {
    return this.organisation(organisation).recordValue;
  }

  standing(organisation: string): number {
    return this.organisation(organisation).standingValue;
  }

  isEstablished(organisation: string): boolean {
    const { vouchers, standingValue } = this.organisation(organisation);
    return isEstablishedOrganisation({ organisation, vouchers: vouchers.size, standing: standingValue }, this.rules);
  }

  /** Each with the review by which it first vouched. */
  vouchers(organisation: string): { organisation: string; since: string }[] {
    return [...this.organisation(organisation).vouchers].map(([voucher, reviews]) => ({
      organisation: voucher,
      since: reviews[0] ?? '',
    }));
  }

  /** The split to freeze when this agent reviews another. */
  rootsOf(agent: string, orgDomain: string | null): Record<string, number> {
    const { organisation, base, account } = this.agent(agent);
    return splitOfReviewer({ organisation, orgDomain, base }, account.view(), this.rules);
  }

  /** The evidence about a subject, as `explainAgent` and `explainRecord` take it; that of a standing record is the record's until it first answers. */
  account(subject: Subject): Account {
    if (subject.kind === 'agent') return this.agent(subject.id).account;
    const { record, standing } = this.organisation(subject.id);
    return subject.kind === 'standing' && standing !== null ? standing : record;
  }

  private register({ agent, organisation, base }: Extract<TrustEvent, { type: 'registered' }>): void {
    const account = new Account(base, this.rules, { remembers: this.remembers });
    const { line } = averagesOfAgent(account.view(), base, this.rules);
    this.agents.set(agent, { organisation, base, account, line, verdict: verdictAt(line, base, this.rules) });
    if (organisation !== null) this.organisation(organisation).agents.add(agent);
    this.score(agent);
  }

  private adopt({ agent, organisation }: Extract<TrustEvent, { type: 'adopted' }>): void {
    const state = this.agent(agent);
    if (state.organisation !== null) this.organisation(state.organisation).agents.delete(agent);
    state.organisation = organisation;
    this.organisation(organisation).agents.add(agent);
    this.score(agent);
  }

  private review(review: RecordedReviewV2): ChangedEvidence[] {
    const receiver = this.agent(review.receiver);
    const by = review.reviewer.organisation;
    if (by !== null) this.organisation(by);
    const plan = planReview(
      {
        review,
        receiver: { ...receiver, view: () => receiver.account.view() },
        isEstablished: by !== null && this.isEstablished(by),
        organisationOf: (root) => (this.organisations.has(root) ? root : (this.domains.get(root) ?? null)),
        organisationsAmong: (roots) => new Set(roots.filter((root) => this.organisations.has(root))),
      },
      this.rules,
    );
    if (this.remembers && plan.additions.length > 0) {
      this.plans.set(review.id, { subjects: plan.additions.map(({ subject }) => subject), vouch: plan.vouch });
    }
    const views: { subject: Subject; view: EvidenceView }[] = [];
    const changed: ChangedEvidence[] = [];
    for (const { subject, entry, answers } of plan.additions) {
      const account = answers === null ? this.stored(subject) : this.answering(subject.id);
      if (account === null) continue;
      const { view, evidence, changedRoots } = account.add({ reviewId: review.id, entry, answers });
      views.push({ subject, view });
      changed.push({ subject, evidence, changedRoots });
    }
    if (plan.vouch !== null) this.vouch(plan.vouch, review.id);
    for (const { subject, view } of views) this.settle(subject, view);
    return changed;
  }

  /** The account of a subject if it is stored. */
  private stored({ kind, id }: Subject): Account | null {
    if (kind === 'agent') return this.agent(id).account;
    const { record, standing } = this.organisation(id);
    return kind === 'record' ? record : standing;
  }

  private answering(organisation: string): Account {
    const state = this.organisation(organisation);
    state.standing ??= state.record.copy();
    return state.standing;
  }

  private vouch({ organisation, voucher }: NonNullable<ReviewPlan['vouch']>, reviewId: string): void {
    const { vouchers } = this.organisation(organisation);
    const reviews = vouchers.get(voucher) ?? [];
    reviews.push(reviewId);
    vouchers.set(voucher, reviews);
  }

  /** Computes what stems from changed evidence. A changed record changes the scores of all agents of its organisation. */
  private settle({ kind, id }: Subject, view: EvidenceView): void {
    if (kind === 'agent') {
      const state = this.agent(id);
      state.line = averagesOfAgent(view, state.base, this.rules).line;
      this.score(id);
      return;
    }
    const state = this.organisation(id);
    const { record } = recordOf(view, this.rules);
    if (kind === 'standing' || state.standing === null) state.standingValue = record;
    if (kind === 'standing' || record === state.recordValue) return;
    state.recordValue = record;
    for (const agent of state.agents) this.score(agent);
  }

  private score(agent: string): void {
    const state = this.agent(agent);
    const { organisation, base, line } = state;
    const prior = organisation === null ? base : Math.min(base, this.record(organisation));
    state.verdict = verdictAt(line, prior, this.rules);
    this.onScored(agent);
  }

  /** What a void review was decided on stays decided: bits of others, and what others answer for. */
  private voidReviews(reviews: readonly string[]): void {
    if (!this.remembers) throw new Error('reviews are voided, and this ledger does not remember any');
    const subjects = new Map<string, Subject>();
    for (const id of reviews) {
      const plan = this.plans.get(id);
      if (plan === undefined || this.voided.has(id)) continue;
      this.voided.add(id);
      for (const subject of plan.subjects) subjects.set(`${subject.kind} ${subject.id}`, subject);
      if (plan.vouch !== null) this.withdrawVouch(plan.vouch, id);
    }
    for (const subject of subjects.values()) {
      const account = this.stored(subject);
      if (account === null) continue;
      account.recount((id) => this.voided.has(id));
      this.settle(subject, account.view());
    }
  }

  private withdrawVouch({ organisation, voucher }: NonNullable<ReviewPlan['vouch']>, reviewId: string): void {
    const { vouchers } = this.organisation(organisation);
    const left = (vouchers.get(voucher) ?? []).filter((id) => id !== reviewId);
    if (left.length > 0) vouchers.set(voucher, left);
    else vouchers.delete(voucher);
  }

  private agent(agent: string): AgentState {
    const state = this.agents.get(agent);
    if (state === undefined) throw new Error(`Agent ${JSON.stringify(agent)} is not in the ledger.`);
    return state;
  }

  private organisation(organisation: string): OrganisationState {
    let state = this.organisations.get(organisation);
    if (state === undefined) {
      const record = new Account(RECORD_MAX, this.rules, { remembers: this.remembers });
      state = {
        agents: new Set(),
        record,
        standing: null,
        recordValue: RECORD_MAX,
        standingValue: RECORD_MAX,
        vouchers: new Map(),
      };
      this.organisations.set(organisation, state);
    }
    return state;
  }
}
