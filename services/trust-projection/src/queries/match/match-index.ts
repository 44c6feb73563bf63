import { normaliseOrgName } from '@agent-trust/domain';
import { matchScoreSteps } from '../../read-models/agent-standing/match-base.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { AgentColumns } from './agent-columns.ts';
import { type AgentFilter, agentFilter, type MatchFilters } from './agent-filter.ts';
import { BestRows, type RankedRow } from './best-rows.ts';
import { CapabilityStrengths } from './capability-strengths.ts';
import type { MatchEntry, RankedAgent } from './match-entry.ts';
import { matchSteps } from './match-steps.ts';
import { PreviewField } from './preview-field.ts';
import type { SortedNumbers } from './sorted-numbers.ts';
import { UniverseLists } from './universe-lists.ts';

export type MatchQuestion = {
  /** As `universeKey` has it. */
  universe: string;
  /** What the required names may be met by; null when no capability is asked for. */
  capabilities: readonly ResolvedCapability[] | null;
  filters: MatchFilters;
};

/**
 * All agents of the registry as match sees them, in memory, so that the best of any number of holders are found without reading
 * thousands of rows from the database. Exact: every holder is looked at, none is estimated.
 *
 * Ranked by match_score descending, then trust_score descending, transaction_count descending, agent_id ascending. Only routable
 * agents; an agent passes the capability filter when it has at least one of the capabilities.
 */
export class MatchIndex {
  readonly #columns: AgentColumns = new AgentColumns();
  readonly #universes: Map<number, UniverseLists> = new Map();
  readonly #strengths: CapabilityStrengths = new CapabilityStrengths();
  #position = -1n;

  /** Position of the newest change that it knows; -1 before the first. */
  get position(): bigint {
    return this.#position;
  }

  get agentCount(): number {
    return this.#columns.count;
  }

  /** Takes over an agent as it is now, in place of what was known of it; what is known to be newer stays. */
  apply(entry: MatchEntry): void {
    const columns = this.#columns;
    const row = columns.rowOf(entry.agentId);
    if (entry.changedPosition > this.#position) this.#position = entry.changedPosition;
    if (entry.changedPosition < (columns.changedPosition[row] as bigint)) return;
    const lists = this.#listsOf(row);
    // What changes most often is the standing alone, or only what match does not look at.
    if (lists !== undefined && columns.hasSameCapabilities(row, entry)) {
      const moves = !columns.hasSamePlace(row, entry);
      if (moves) lists.displace(row);
      columns.set(row, entry);
      if (moves) lists.place(row);
      return;
    }
    lists?.remove(row);
    columns.set(row, entry);
    const universe = columns.universe[row] as number;
    if (universe >= 0 && !this.#universes.has(universe)) {
      this.#universes.set(universe, new UniverseLists(columns));
    }
    this.#listsOf(row)?.add(row);
  }

  /** A stretch of the ranking. */
  rank(question: MatchQuestion, stretch: { limit: number; offset: number }): RankedAgent[] {
    const { limit, offset } = stretch;
    const found = this.#look(question);
    if (found === null) return [];
    const { lists, passes } = found;
    const ranked =
      question.capabilities === null
        ? this.#firstByBase(lists, question.filters, passes, offset + limit)
        : this.#bestByCapability(lists, question.capabilities, passes, offset + limit);
    return ranked.slice(offset).map(({ row, steps }) => this.#rankedAgent(row, steps));
  }

  /** Every agent that passes, for holding a draft against them. `alsoPasses` is a further filter. */
  field(
    question: MatchQuestion,
    alsoPasses: (agent: { agentId: string; verified: boolean; trustScore: number }) => boolean,
  ): PreviewField {
    const columns = this.#columns;
    const rows: RankedRow[] = [];
    const found = this.#look(question);
    const take = (row: number, capability: number): void => {
      const agent = {
        agentId: columns.agentId[row] as string,
        verified: columns.verified[row] === 1,
        trustScore: columns.trustScore[row] as number,
      };
      if (found?.passes(row) !== true || !alsoPasses(agent)) return;
      rows.push({ row, steps: matchSteps(capability, columns.matchBase[row] as number) });
    };
    if (found !== null && question.capabilities === null) forEachOf(found.lists.byBase, (row) => take(row, 0));
    if (found !== null && question.capabilities !== null) {
      const strengths = this.#strengths;
      strengths.compute(columns, found.lists, question.capabilities);
      const { rows: holders, sum, count, divisor } = strengths;
      for (const row of holders.subarray(0, count)) take(row, (sum[row] as number) / divisor);
    }
    return new PreviewField(columns, rows, (row, steps) => this.#rankedAgent(row, steps));
  }

  #look({ universe, filters }: MatchQuestion): { lists: UniverseLists; passes: AgentFilter } | null {
    const name = this.#columns.names.find(universe);
    const lists = name === undefined ? undefined : this.#universes.get(name);
    const passes = agentFilter(this.#columns, filters);
    return lists === undefined || passes === null ? null : { lists, passes };
  }

  /** Without capabilities the order is the agents' own, so the first that pass are the best. */
  #firstByBase(lists: UniverseLists, filters: MatchFilters, passes: AgentFilter, countMax: number): RankedRow[] {
    const orgName = filters.orgName === null ? undefined : this.#columns.names.find(normaliseOrgName(filters.orgName));
    const inOrder = orgName === undefined ? lists.byBase : lists.ofOrganisation(orgName);
    const found: RankedRow[] = [];
    if (inOrder === undefined) return found;
    forEachOf(inOrder, (row) => {
      if (passes(row)) found.push({ row, steps: matchSteps(0, this.#columns.matchBase[row] as number) });
      return found.length < countMax;
    });
    return found;
  }

  #bestByCapability(
    lists: UniverseLists,
    capabilities: readonly ResolvedCapability[],
    passes: AgentFilter,
    countMax: number,
  ): RankedRow[] {
    const strengths = this.#strengths;
    strengths.compute(this.#columns, lists, capabilities);
    const best = new BestRows(this.#columns, countMax, strengths.isInIdOrder);
    const { rows, sum, count, divisor } = strengths;
    const { matchBase } = this.#columns;
    for (let index = 0; index < count; index += 1) {
      const row = rows[index] as number;
      const steps = matchSteps((sum[row] as number) / divisor, matchBase[row] as number);
      if (steps >= best.stepsMin && passes(row)) best.offer(row, steps);
    }
    return best.sorted();
  }

  #listsOf(row: number): UniverseLists | undefined {
    return this.#universes.get(this.#columns.universe[row] as number);
  }

  #rankedAgent(row: number, steps: number): RankedAgent {
    const { agentId, changedPosition } = this.#columns;
    return {
      agentId: agentId[row] as string,
      matchScore: steps / matchScoreSteps,
      changedPosition: changedPosition[row] as bigint,
    };
  }
}

/** Goes through a list until `visit` answers false. */
const forEachOf = (list: SortedNumbers, visit: (value: number) => boolean | void): void => {
  for (const { values, count } of list.chunks) {
    for (let index = 0; index < count; index += 1) if (visit(values[index] as number) === false) return;
  }
};
