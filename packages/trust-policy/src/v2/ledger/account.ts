import { PairStore } from '../../ledger/pair-store.ts';
import type { PairEvidence } from '../../v1/incremental/evidence.ts';
import { effectiveTime } from '../../v1/incremental/apply-review.ts';
import type { Entry } from '../entry.ts';
import { type AddedEntry, addEntry } from '../incremental/add-entry.ts';
import { type EvidenceV2, initialEvidenceV2 } from '../incremental/evidence.ts';
import { viewOf } from '../incremental/evidence-view.ts';
import type { RulesV2 } from '../rules.ts';
import type { EvidenceView } from '../view.ts';

/** An entry as it was added: its `reviewedAt` is when it counted as made. */
export type HeldEntry = { reviewId: string; entry: Entry; answers: number | null };

type AccountOptions = {
  /** Whether its reviews can be voided later: a review then takes twice the memory. */
  remembers?: boolean;
  copied?: Account;
};

/** One piece of evidence in memory, with its pairs, and, if it remembers them, with its entries for the case that some are voided. */
export class Account {
  private held: EvidenceV2;
  private pairs: PairStore;
  /** Null if it does not remember them. */
  private readonly entries: HeldEntry[] | null;
  private readonly rules: RulesV2;
  private readonly prior: number;

  constructor(prior: number, rules: RulesV2, { remembers = true, copied }: AccountOptions = {}) {
    this.prior = prior;
    this.rules = rules;
    this.held = copied?.held ?? initialEvidenceV2(prior);
    this.pairs = new PairStore(copied?.pairs.all());
    this.entries = remembers ? [...(copied?.heldEntries ?? [])] : null;
  }

  /** Evidence with the same past. */
  copy(): Account {
    return new Account(this.prior, this.rules, { remembers: this.entries !== null, copied: this });
  }

  get evidence(): EvidenceV2 {
    return this.held;
  }

  /** All that were added. @throws Error if they are not remembered */
  get heldEntries(): readonly HeldEntry[] {
    if (this.entries === null) throw new Error('this evidence does not remember its reviews');
    return this.entries;
  }

  view(): EvidenceView {
    return viewOf(this.held, this.rules);
  }

  add(held: HeldEntry): AddedEntry {
    const at = effectiveTime(this.held.sums, held.entry);
    const entry = { ...held.entry, reviewedAt: at };
    this.entries?.push({ ...held, entry });
    return this.count(entry);
  }

  /** Counts all entries anew, as if there had never been those of void reviews; these only keep their numbers. */
  recount(isVoid: (reviewId: string) => boolean): void {
    const entries = this.heldEntries;
    this.held = initialEvidenceV2(this.prior);
    this.pairs = new PairStore();
    for (const { reviewId, entry } of entries) this.put({ entry, isVoid: isVoid(reviewId) });
  }

  /** Counts an entry that has its time; of a void one the number alone. */
  put({ entry, isVoid }: { entry: Entry; isVoid: boolean }): void {
    if (!isVoid) this.count(entry);
    else {
      const { sums } = this.held;
      this.held = { ...this.held, sums: { ...sums, reviewCount: sums.reviewCount + 1 } };
    }
  }

  allPairs(): PairEvidence[] {
    return this.pairs.all();
  }

  private count(entry: Entry): AddedEntry {
    const { held: evidence, pairs } = this;
    const expired = pairs.takeExpired(effectiveTime(evidence.sums, entry), entry.reviewer);
    const added = addEntry({ evidence, pair: pairs.get(entry.reviewer), expired, entry }, this.rules);
    this.held = added.evidence;
    pairs.keep(added.changedPairs, added.removedPairs);
    return added;
  }
}

/**
 * Evidence and its pairs from entries as they were added, in that order, as if there had never been the void ones; these only keep their numbers.
 *
 * @param entries each with the time that it counts as made
 */
export function countEntries(
  prior: number,
  entries: Iterable<{ entry: Entry; isVoid: boolean }>,
  rules: RulesV2,
): { evidence: EvidenceV2; pairs: PairEvidence[] } {
  const account = new Account(prior, rules);
  for (const each of entries) account.put(each);
  return { evidence: account.evidence, pairs: account.allPairs() };
}
