import { type MatchReason, matchScoreSteps, type RankedMatch } from '@agent-trust/contracts';
import { matchPartValuesOf } from '../../projector/read-models/agent-standing/match-base.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { AgentColumns, type MatchEntry, type RankedAgent } from './agent-columns.ts';
import type { RankedRow } from './best-rows.ts';
import { sharedReasons } from './contender.ts';
import { HoldersOfSeveral } from './holders-of-several.ts';
import { PreviewField } from './preview-field.ts';
import { allRows, type Asked, bestRows } from './rank-rows.ts';
import { type MatchFilters, wantedTraits } from './traits.ts';
import { UniverseLists } from './universe-lists.ts';

export type MatchQuestion = {
  /** As `universeKey` has it. */
  universe: string;
  /** What the required names may be met by; null when no capability is asked for. */
  capabilities: readonly ResolvedCapability[] | null;
  filters: MatchFilters;
};

/**
 * All agents of the registry in memory, so that the best of any number of holders are found without reading thousands of rows. Exact.
 * Ranked by match_score descending, then trust_score descending, exchanges with other organisations descending, agent_id ascending. Only routable agents;
 * an agent passes the capability filter if it has at least one of the capabilities.
 */
export class MatchIndex {
  /** The build of the read model that it has been read from. */
  build = '';
  readonly #columns: AgentColumns = new AgentColumns();
  readonly #universes: Map<number, UniverseLists> = new Map();
  readonly #several: HoldersOfSeveral = new HoldersOfSeveral();

  /** Number of agents that it knows, those that are no match among them. */
  get agentCount(): number {
    return this.#columns.count;
  }

  /** Number of names (of capabilities, rails, organisations) that it keeps, those that no agent has any more among them. */
  get nameCount(): number {
    return this.#columns.names.count;
  }

  /** Takes over an agent as it is now, in place of what was known of it; what is known to be newer stays. */
  apply(entry: MatchEntry): void {
    const columns = this.#columns;
    const row = columns.rowOf(entry.agentId);
    if (entry.changedPosition < (columns.changedPosition[row] as bigint)) return;
    const lists = this.#listsOf(row);
    // Often only what match does not look at has changed.
    if (lists !== undefined && columns.hasSamePlace(row, entry)) {
      columns.set(row, entry);
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

  /** How many agents that can be called have each capability, in a universe as `universeKey` has it. */
  holderCounts(universe: string, capabilities: readonly string[]): number[] {
    const { names } = this.#columns;
    const number = names.find(universe);
    const lists = number === undefined ? undefined : this.#universes.get(number);
    return capabilities.map((capability) => {
      const name = names.find(capability);
      return (name === undefined ? undefined : lists?.holdersOf(name)?.count) ?? 0;
    });
  }

  /** A page of the ranking. */
  rank(question: MatchQuestion, page: { limit: number; offset: number }): RankedAgent[] {
    const { limit, offset } = page;
    const asked = this.#asked(question);
    if (asked === null) return [];
    const ranked = bestRows(asked, this.#several, question.capabilities, offset + limit);
    return ranked.slice(offset).map((one) => this.#rankedAgent(one));
  }

  /** Every agent that passes the question and `alsoPasses`, for holding a draft against them. */
  field(
    question: MatchQuestion,
    alsoPasses: (agent: { agentId: string; verified: boolean; trustScore: number }) => boolean,
  ): PreviewField {
    const columns = this.#columns;
    const asked = this.#asked(question);
    const rows = asked === null ? [] : allRows(asked, this.#several, question.capabilities);
    const others = rows.filter(({ row }) =>
      alsoPasses({
        agentId: columns.agentId[row] as string,
        verified: columns.verified[row] === 1,
        trustScore: columns.trustScore[row] as number,
      }),
    );
    return new PreviewField(columns, others, (one) => this.#rankedAgent(one));
  }

  /** Null when nobody can pass. */
  #asked({ universe, filters }: MatchQuestion): Asked | null {
    const columns = this.#columns;
    const name = columns.names.find(universe);
    const lists = name === undefined ? undefined : this.#universes.get(name);
    const wanted = wantedTraits(columns.names, filters);
    return lists === undefined || wanted.some((anyOf) => anyOf.length === 0) ? null : { columns, lists, wanted };
  }

  #listsOf(row: number): UniverseLists | undefined {
    return this.#universes.get(this.#columns.universe[row] as number);
  }

  #rankedAgent({ row, steps }: RankedRow): RankedAgent {
    const { agentId, changedPosition, trustScore, otherOrgTransactionCount, matchBase } = this.#columns;
    return {
      agentId: agentId[row] as string,
      matchScore: steps / matchScoreSteps,
      trustScore: trustScore[row] as number,
      otherOrgTransactionCount: otherOrgTransactionCount[row] as number,
      matchBase: matchBase[row] as number,
      changedPosition: changedPosition[row] as bigint,
      capabilities: this.#columns.capabilitiesOf(row),
    };
  }
}

/** A page of the best matches of a universe with the reasons, best first. */
export function findMatches(
  index: MatchIndex,
  question: MatchQuestion,
  page: { limit: number; offset: number },
): { build: string; reasons: MatchReason[]; matches: RankedMatch[] } {
  const { reasons, metBy } = sharedReasons(question.capabilities ?? []);
  const matches = index.rank(question, page).map((ranked): RankedMatch => {
    const { agentId, matchScore, changedPosition, capabilities } = ranked;
    const { places, capability } = metBy(capabilities);
    return {
      agentId,
      changedPosition: String(changedPosition),
      matchScore,
      matchParts: matchPartValuesOf(capability, ranked),
      matchReasons: places,
    };
  });
  return { build: index.build, reasons, matches };
}
