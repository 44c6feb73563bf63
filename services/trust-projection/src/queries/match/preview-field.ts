import { type AgentColumns, compareIds, type RankedAgent } from './agent-columns.ts';
import { BestRows, type RankedRow } from './best-rows.ts';

/** What places a draft among others. `steps` is its match_score in ten-thousandths. */
export type DraftStanding = { agentId: string; steps: number; trustScore: number; otherOrgTransactionCount: number };

/** The agents that a draft is held against. */
export class PreviewField {
  readonly #columns: AgentColumns;
  readonly #rows: readonly RankedRow[];
  readonly #rankedAgent: (ranked: RankedRow) => RankedAgent;

  constructor(columns: AgentColumns, rows: readonly RankedRow[], rankedAgent: (ranked: RankedRow) => RankedAgent) {
    this.#columns = columns;
    this.#rows = rows;
    this.#rankedAgent = rankedAgent;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** How many are ahead of a draft, in the order of match. */
  countAhead(draft: DraftStanding): number {
    return this.#rows.reduce((count, other) => (this.#isAhead(other, draft) ? count + 1 : count), 0);
  }

  /** The last of those ahead of a draft, and the first of those behind it. */
  neighbours(draft: DraftStanding): { ahead: RankedAgent | null; behind: RankedAgent | null } {
    let ahead: RankedRow | null = null;
    let behind: RankedRow | null = null;
    for (const other of this.#rows) {
      if (this.#isAhead(other, draft)) ahead = ahead === null || this.#compare(other, ahead) > 0 ? other : ahead;
      else behind = behind === null || this.#compare(other, behind) < 0 ? other : behind;
    }
    const agentOf = (ranked: RankedRow | null): RankedAgent | null => ranked && this.#rankedAgent(ranked);
    return { ahead: agentOf(ahead), behind: agentOf(behind) };
  }

  /** The best, best first. */
  best(countMax: number): RankedAgent[] {
    if (countMax < 1) return [];
    const best = new BestRows(this.#columns, countMax);
    for (const { row, steps } of this.#rows) best.offer(row, steps);
    return best.sorted().map((one) => this.#rankedAgent(one));
  }

  #compare(a: RankedRow, b: RankedRow): number {
    return b.steps - a.steps || this.#columns.compareStanding(a.row, b.row);
  }

  #isAhead({ row, steps }: RankedRow, draft: DraftStanding): boolean {
    const { trustScore, otherOrgTransactionCount, agentId } = this.#columns;
    const order =
      steps - draft.steps ||
      (trustScore[row] as number) - draft.trustScore ||
      (otherOrgTransactionCount[row] as number) - draft.otherOrgTransactionCount ||
      compareIds(draft.agentId, agentId[row] as string);
    return order > 0;
  }
}
