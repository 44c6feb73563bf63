import type { TrustPolicyV2 } from '../../policy/trust-policy-v2.ts';
import { NO_ROOT, NOISE_POINTS } from '../../v1/constants.ts';
import type { Verdict } from '../../v1/formula.ts';
import { reviewValue } from '../../v1/review.ts';
import { averagesOfAgent } from '../agent-score.ts';
import type { Entry } from '../entry.ts';
import { isContent } from '../mark.ts';
import { recordOf } from '../organisation-record.ts';
import { type RulesV2, rulesOfV2 } from '../rules.ts';
import type { RecordedReviewV2, TrustEvent } from '../trust-event.ts';
import { verdictAt } from '../verdict.ts';
import type { EvidenceView } from '../view.ts';
import { viewOfEntries } from './direct-view.ts';

type Held = { id: string; entry: Entry };

/**
 * Policy v2 as its text says it, over lists: nothing is carried forward but what events decided (to which evidence a review was added, with which trust,
 * root and bit), and every score is computed from all reviews. Slow; the reference that tests hold the incremental form against.
 */
export class DirectLog {
  private readonly rules: RulesV2;
  private readonly agents = new Map<string, { organisation: string | null; base: number }>();
  private readonly domains = new Map<string, string | null>();
  private readonly organisations = new Set<string>();
  private readonly aboutAgents = new Map<string, Held[]>();
  private readonly aboutOrganisations = new Map<string, Held[]>();
  /** Reviews that an organisation answers for, and those of its own agents; the same as its record until it first answers. */
  private readonly standings = new Map<string, Held[]>();
  private readonly vouches: { id: string; organisation: string; voucher: string }[] = [];
  private readonly voided = new Set<string>();

  constructor(policy: TrustPolicyV2) {
    this.rules = rulesOfV2(policy);
  }

  apply(event: TrustEvent): void {
    switch (event.type) {
      case 'registered':
        this.agents.set(event.agent, { organisation: event.organisation, base: event.base });
        if (event.organisation !== null) this.organisations.add(event.organisation);
        return;
      case 'adopted':
        this.agents.set(event.agent, { base: this.agent(event.agent).base, organisation: event.organisation });
        this.organisations.add(event.organisation);
        return;
      case 'domain_reserved':
        this.domains.set(event.domain, event.organisation);
        if (event.organisation !== null) this.organisations.add(event.organisation);
        return;
      case 'reviewed':
        if (event.review.inProduction) this.review(event.review);
        return;
      case 'voided':
        for (const id of event.reviews) this.voided.add(id);
        return;
      default:
        event satisfies never;
    }
  }

  verdict(agent: string): Verdict {
    const { organisation, base } = this.agent(agent);
    const prior = organisation === null ? base : Math.min(base, this.record(organisation));
    return verdictAt(averagesOfAgent(this.viewOfAgent(agent), base, this.rules).line, prior, this.rules);
  }

  record(organisation: string): number {
    return recordOf(this.view(this.aboutOrganisations.get(organisation)), this.rules).record;
  }

  standing(organisation: string): number {
    const entries = this.standings.get(organisation) ?? this.aboutOrganisations.get(organisation);
    return recordOf(this.view(entries), this.rules).record;
  }

  vouchers(organisation: string): string[] {
    const vouches = this.vouches.filter((vouch) => vouch.organisation === organisation && !this.voided.has(vouch.id));
    return [...new Set(vouches.map(({ voucher }) => voucher))];
  }

  isEstablished(organisation: string): boolean {
    const { establishedBy, anchors, establishedRecordMin } = this.rules;
    if (this.vouchers(organisation).length < establishedBy && !anchors.includes(organisation)) return false;
    return this.standing(organisation) >= establishedRecordMin;
  }

  /** The split to freeze when this agent reviews another. */
  rootsOf(agent: string, orgDomain: string | null): Record<string, number> {
    const { organisation } = this.agent(agent);
    if (organisation !== null) return Object.fromEntries([[organisation, 1]]);
    if (this.rules.unaffiliated === 'none') return { [NO_ROOT]: 1 };
    if (orgDomain !== null) return Object.fromEntries([[orgDomain, 1]]);
    const raisers = this.raisers(agent).map(({ root, share }) => [root, share] as const);
    return raisers.length === 0 ? { [NO_ROOT]: 1 } : Object.fromEntries(raisers);
  }

  private review(review: RecordedReviewV2): void {
    const { id, receiver, reviewer, reviewedAt, success, score } = review;
    const { organisation: o, base } = this.agent(receiver);
    const e = reviewer.organisation;
    if (e !== null) this.organisations.add(e);
    // 1. The reviewer's organisation is established or not before the review.
    const own = e === null ? null : { organisation: e, isEstablished: this.isEstablished(e) };
    const said = { reviewedAt, reviewer: reviewer.agent, trust: reviewer.trust, success, score, own };
    const inRecord = { ...said, roots: Object.fromEntries([[e ?? NO_ROOT, 1]]) };
    const isBad = reviewValue(review, this.rules) < this.rules.badBelow;
    // 2. Answering.
    const answering = base === 40 && isBad ? this.raisers(receiver) : [];
    for (const { root: d, share, isContentNow } of answering) {
      const isOther = this.organisations.has(d) && d !== e && d !== o;
      if (!isOther || share <= this.rules.answerShareMin + NOISE_POINTS || !isContentNow) continue;
      const standing = this.standings.get(d) ?? [...(this.aboutOrganisations.get(d) ?? [])];
      this.standings.set(d, standing);
      this.add(standing, id, { ...inRecord, trust: reviewer.trust * share });
    }
    // 3. The evidence of the agent, the record and the standing record of its organisation.
    this.add(listOf(this.aboutAgents, receiver), id, { ...said, roots: this.rootsOfReview(review) });
    if (o === null) return;
    this.add(listOf(this.aboutOrganisations, o), id, inRecord);
    const standing = this.standings.get(o);
    if (standing !== undefined) this.add(standing, id, inRecord);
    // 4. Vouching.
    if (e !== null && e !== o && !isBad) this.vouches.push({ id, organisation: o, voucher: e });
  }

  private rootsOfReview({ reviewer }: RecordedReviewV2): Record<string, number> {
    const { organisation, orgDomain, roots } = reviewer;
    if (organisation !== null) return Object.fromEntries([[organisation, 1]]);
    if (this.rules.unaffiliated === 'none') return { [NO_ROOT]: 1 };
    if (orgDomain !== null) return Object.fromEntries([[orgDomain, 1]]);
    const shares = new Map<string, number>();
    for (const [root, share] of Object.entries(roots)) {
      const counted = this.organisations.has(root) ? root : (this.domains.get(root) ?? root);
      if (share > 0) shares.set(counted, (shares.get(counted) ?? 0) + share);
    }
    return shares.size === 0 ? { [NO_ROOT]: 1 } : Object.fromEntries(shares);
  }

  private raisers(agent: string): { root: string; share: number; isContentNow: boolean }[] {
    const { base } = this.agent(agent);
    const { roots, weights, values, marks } = this.viewOfAgent(agent);
    const raising = roots
      .map((root, place) => ({
        root,
        weight: weights[place] ?? 0,
        mean: (100 * (values[place] ?? 0)) / (weights[place] ?? 0),
        isContentNow: isContent(marks[place] ?? 0),
      }))
      .filter(({ weight, mean }) => weight > 0 && mean > base + NOISE_POINTS);
    const total = raising.reduce((sum, { weight }) => sum + weight, 0);
    return raising.map(({ root, weight, isContentNow }) => ({ root, share: weight / total, isContentNow }));
  }

  /** An entry counts as made no earlier than the newest that counts then, and keeps that time. */
  private add(entries: Held[], id: string, entry: Entry): void {
    const newest = entries.findLast((held) => !this.voided.has(held.id))?.entry.reviewedAt ?? entry.reviewedAt;
    entries.push({ id, entry: { ...entry, reviewedAt: Math.max(newest, entry.reviewedAt) } });
  }

  private viewOfAgent(agent: string): EvidenceView {
    return this.view(this.aboutAgents.get(agent));
  }

  private view(entries: readonly Held[] = []): EvidenceView {
    const counting = entries.filter(({ id }) => !this.voided.has(id));
    return viewOfEntries(
      counting.map(({ entry }) => entry),
      this.rules,
    );
  }

  private agent(agent: string): { organisation: string | null; base: number } {
    const state = this.agents.get(agent);
    if (state === undefined) throw new Error(`Agent ${JSON.stringify(agent)} is not in the log.`);
    return state;
  }
}

const listOf = (lists: Map<string, Held[]>, key: string): Held[] => {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
};
