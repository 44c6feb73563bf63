import { type AgentColumns, packCapability } from './agent-columns.ts';
import { SortedNumbers } from './sorted-numbers.ts';

const capabilityWeights = [3, 2, 1];

/** A holder of a capability: its row, with the weight in the last two bits. */
export function packHolder(row: number, weight: number): number {
  return row * 4 + weight;
}

/** The routable agents that have a capability. */
export type Holders = {
  /** All of them, packed as `packHolder` does, in the order of their rows. */
  all: SortedNumbers;
  /** Those that have it with weight 1, 2 or 3, as `UniverseLists.byBase` has them. */
  ofWeight: ReadonlyMap<number, SortedNumbers>;
};

/** The routable agents of one universe, in the orders that questions need. A row must be out of it while its columns change. */
export class UniverseLists {
  /** By what an agent brings to every question, best first, which is noted beside it; equals as `compareStanding` has them. */
  readonly byBase: SortedNumbers;
  readonly #columns: AgentColumns;
  readonly #holders: Map<number, SortedNumbers> = new Map();
  /** By packed capability. */
  readonly #ofWeight: Map<number, SortedNumbers> = new Map();
  readonly #withTrait: Map<number, SortedNumbers> = new Map();

  constructor(columns: AgentColumns) {
    this.#columns = columns;
    this.byBase = this.#newListByBase();
  }

  /** The agents that have a capability; none when there is no such agent. */
  holdersOf(name: number): Holders | undefined {
    const all = this.#holders.get(name);
    if (all === undefined) return undefined;
    const ofWeight = new Map<number, SortedNumbers>();
    for (const weight of capabilityWeights) {
      const list = this.#ofWeight.get(packCapability(name, weight));
      if (list !== undefined) ofWeight.set(weight, list);
    }
    return { all, ofWeight };
  }

  /** The agents with a trait, as `byBase` has them. */
  withTrait(trait: number): SortedNumbers | undefined {
    return this.#withTrait.get(trait);
  }

  add(row: number): void {
    this.#place(row);
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      const newList = (): SortedNumbers => new SortedNumbers((a, b) => a - b);
      this.#putInto(this.#holders, packed >>> 2, packHolder(row, packed & 3), newList);
    }
  }

  remove(row: number): void {
    this.#displace(row);
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      this.#takeFrom(this.#holders, packed >>> 2, packHolder(row, packed & 3));
    }
  }

  /** Moves an agent to where its new standing has it; its universe and capabilities stay. */
  move(row: number, change: () => void): void {
    this.#displace(row);
    change();
    this.#place(row);
  }

  /** Into the lists that go by standing. */
  #place(row: number): void {
    const { traits, capabilities } = this.#columns;
    this.byBase.insert(row);
    for (const trait of traits[row] as readonly number[]) {
      this.#putInto(this.#withTrait, trait, row, this.#newListByBase);
    }
    for (const packed of capabilities[row] as readonly number[]) {
      this.#putInto(this.#ofWeight, packed, row, this.#newListByBase);
    }
  }

  #displace(row: number): void {
    const { traits, capabilities } = this.#columns;
    this.byBase.remove(row);
    for (const trait of traits[row] as readonly number[]) this.#takeFrom(this.#withTrait, trait, row);
    for (const packed of capabilities[row] as readonly number[]) this.#takeFrom(this.#ofWeight, packed, row);
  }

  readonly #compareBase = (a: number, b: number): number => {
    const { matchBase } = this.#columns;
    return (matchBase[b] as number) - (matchBase[a] as number) || this.#columns.compareStanding(a, b);
  };

  readonly #newListByBase = (): SortedNumbers =>
    new SortedNumbers(this.#compareBase, (row) => this.#columns.matchBase[row] as number);

  #putInto(lists: Map<number, SortedNumbers>, key: number, value: number, newList: () => SortedNumbers): void {
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = newList()));
    list.insert(value);
  }

  #takeFrom(lists: Map<number, SortedNumbers>, key: number, value: number): void {
    const list = lists.get(key);
    if (list === undefined) throw new Error(`no list has ${value}`);
    list.remove(value);
    if (list.size === 0) lists.delete(key);
  }
}
