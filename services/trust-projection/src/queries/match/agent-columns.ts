import type { WeightedCapability } from '@agent-trust/contracts';
import { Numbered } from './numbered.ts';
import { traitsOf } from './traits.ts';

/** What match looks at in an agent. */
export type MatchEntry = {
  agentId: string;
  /** Position of the last event that changed the agent. */
  changedPosition: bigint;
  universe: string;
  routable: boolean;
  verified: boolean;
  orgNameKey: string | null;
  messageProtocol: string;
  settlementRail: readonly string[];
  /** Whether it answers calls. */
  isLive: boolean;
  capabilities: readonly WeightedCapability[];
  trustScore: number;
  otherOrgTransactionCount: number;
  /** The part of match_score that does not depend on the question. */
  matchBase: number;
};

/** An agent in a ranking. `matchScore` is 0–1 with four decimals. */
export type RankedAgent = Pick<
  MatchEntry,
  'agentId' | 'changedPosition' | 'capabilities' | 'trustScore' | 'otherOrgTransactionCount' | 'matchBase'
> & { matchScore: number };

/** A number of a capability with its weight in one number: the weight is in the last two bits. */
export function packCapability(name: number, weight: number): number {
  return name * 4 + weight;
}

const firstCapacity = 1_024;
/** In the place of a universe. */
const notFound = -1;

const grown = <Values extends Float64Array | Int32Array>(values: Values, make: (length: number) => Values): Values => {
  const larger = make(values.length * 2);
  larger.set(values);
  return larger;
};

const areEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);

/** What match reads of agents, in columns. Agents and names are numbers, so that thousands of agents are compared in microseconds. */
export class AgentColumns {
  readonly names: Numbered = new Numbered();
  readonly agentId: string[] = [];
  readonly changedPosition: bigint[] = [];
  /** -1 for an agent that cannot be a match. */
  universe: Int32Array = new Int32Array(firstCapacity);
  verified: Int32Array = new Int32Array(firstCapacity);
  trustScore: Int32Array = new Int32Array(firstCapacity);
  otherOrgTransactionCount: Int32Array = new Int32Array(firstCapacity);
  matchBase: Float64Array = new Float64Array(firstCapacity);
  /** What the agent can be filtered by. */
  readonly traits: (readonly number[])[] = [];
  /** As `packCapability` has them. */
  readonly capabilities: (readonly number[])[] = [];
  readonly #rows: Map<string, number> = new Map();

  get count(): number {
    return this.agentId.length;
  }

  get capacity(): number {
    return this.universe.length;
  }

  find(agentId: string): number | undefined {
    return this.#rows.get(agentId);
  }

  /** The row of an agent; a new, empty one that is nobody's match for an agent that is new. */
  rowOf(agentId: string): number {
    const known = this.#rows.get(agentId);
    if (known !== undefined) return known;
    const row = this.count;
    if (row === this.capacity) this.#grow();
    this.#rows.set(agentId, row);
    this.agentId.push(agentId);
    this.changedPosition.push(-1n);
    this.traits.push([]);
    this.capabilities.push([]);
    this.universe[row] = notFound;
    return row;
  }

  set(row: number, entry: MatchEntry): void {
    const { names } = this;
    this.changedPosition[row] = entry.changedPosition;
    this.universe[row] = this.#universeOf(entry);
    this.verified[row] = entry.verified ? 1 : 0;
    this.trustScore[row] = entry.trustScore;
    this.otherOrgTransactionCount[row] = entry.otherOrgTransactionCount;
    this.matchBase[row] = entry.matchBase;
    this.traits[row] = traitsOf(names, entry);
    this.capabilities[row] = this.#packed(entry);
  }

  /** What the agent of a row can do. */
  capabilitiesOf(row: number): WeightedCapability[] {
    return (this.capabilities[row] as readonly number[]).map((packed) => ({
      name: this.names.textOf(packed >>> 2),
      weight: packed & 3,
    }));
  }

  /** Whether an agent's newer entry has all of its row by which it is listed. */
  hasSamePlace(row: number, entry: MatchEntry): boolean {
    const { names } = this;
    return (
      this.universe[row] === this.#universeOf(entry) &&
      this.matchBase[row] === entry.matchBase &&
      this.trustScore[row] === entry.trustScore &&
      this.otherOrgTransactionCount[row] === entry.otherOrgTransactionCount &&
      areEqual(this.traits[row] as readonly number[], traitsOf(names, entry)) &&
      areEqual(this.capabilities[row] as readonly number[], this.#packed(entry))
    );
  }

  /** By agent_id. */
  compareIds(a: number, b: number): number {
    return a === b ? 0 : compareIds(this.agentId[a] as string, this.agentId[b] as string);
  }

  /** trust_score descending, exchanges with other organisations descending. */
  compareEarned(a: number, b: number): number {
    return (
      (this.trustScore[b] as number) - (this.trustScore[a] as number) ||
      (this.otherOrgTransactionCount[b] as number) - (this.otherOrgTransactionCount[a] as number)
    );
  }

  /** The order among equal match_scores: `compareEarned`, then agent_id ascending. */
  compareStanding(a: number, b: number): number {
    return this.compareEarned(a, b) || this.compareIds(a, b);
  }

  #packed({ capabilities }: MatchEntry): number[] {
    return capabilities.map(({ name, weight }) => packCapability(this.names.numberOf(name), weight));
  }

  #universeOf({ routable, universe }: MatchEntry): number {
    return routable ? this.names.numberOf(universe) : notFound;
  }

  #grow(): void {
    const integers = (length: number): Int32Array => new Int32Array(length);
    this.universe = grown(this.universe, integers);
    this.verified = grown(this.verified, integers);
    this.trustScore = grown(this.trustScore, integers);
    this.otherOrgTransactionCount = grown(this.otherOrgTransactionCount, integers);
    this.matchBase = grown(this.matchBase, (length) => new Float64Array(length));
  }
}

/** Moves the halves of a character beyond U+FFFF behind all others, as UTF-8 has it. */
const codePointRank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Orders texts by code points as COLLATE "C" does; `<` goes by UTF-16 units and puts an emoji before U+FF5E. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return codePointRank(unitA) - codePointRank(unitB);
  }
  return a.length - b.length;
}
