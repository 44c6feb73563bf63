import { type AgentColumns, packCapability } from './agent-columns.ts';
import { RowList } from './row-list.ts';

const capabilityWeights = [3, 2, 1];

/** The routable agents that have a capability. */
export type Holders = {
  count: number;
  /** Those that have it with weight 3, 2 or 1, as `UniverseLists.byBase` has them; without empty lists. */
  ofWeight: readonly (readonly [weight: number, list: RowList])[];
};

/** The routable agents of one universe, in the orders that questions need. A row must be out of it while its columns change. */
export class UniverseLists {
  /** By what an agent brings to every question, best first, which is noted beside it; equals as `compareStanding` has them. */
  readonly byBase: RowList;
  readonly #columns: AgentColumns;
  /** By packed capability. */
  readonly #ofWeight: Map<number, RowList> = new Map();
  readonly #withTrait: Map<number, RowList> = new Map();

  constructor(columns: AgentColumns) {
    this.#columns = columns;
    this.byBase = this.#newList();
  }

  /** The agents that have a capability; none when there is no such agent. */
  holdersOf(name: number): Holders | undefined {
    const ofWeight = capabilityWeights.flatMap((weight): [number, RowList][] => {
      const list = this.#ofWeight.get(packCapability(name, weight));
      return list === undefined ? [] : [[weight, list]];
    });
    if (ofWeight.length === 0) return undefined;
    return { count: ofWeight.reduce((sum, [, { size }]) => sum + size, 0), ofWeight };
  }

  /** The agents with a trait, as `byBase` has them. */
  withTrait(trait: number): RowList | undefined {
    return this.#withTrait.get(trait);
  }

  add(row: number): void {
    const { traits, capabilities } = this.#columns;
    this.byBase.insert(row);
    for (const trait of traits[row] as readonly number[]) this.#putInto(this.#withTrait, trait, row);
    for (const packed of capabilities[row] as readonly number[]) this.#putInto(this.#ofWeight, packed, row);
  }

  remove(row: number): void {
    const { traits, capabilities } = this.#columns;
    this.byBase.remove(row);
    for (const trait of traits[row] as readonly number[]) this.#takeFrom(this.#withTrait, trait, row);
    for (const packed of capabilities[row] as readonly number[]) this.#takeFrom(this.#ofWeight, packed, row);
  }

  readonly #compareBase = (a: number, b: number): number => {
    const { matchBase } = this.#columns;
    return (matchBase[b] as number) - (matchBase[a] as number) || this.#columns.compareStanding(a, b);
  };

  #newList(): RowList {
    const noteOf = (row: number): number => this.#columns.matchBase[row] as number;
    return new RowList([this.#compareBase, noteOf], () => this.#columns.capacity);
  }

  #putInto(lists: Map<number, RowList>, key: number, row: number): void {
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = this.#newList()));
    list.insert(row);
  }

  #takeFrom(lists: Map<number, RowList>, key: number, row: number): void {
    const list = lists.get(key);
    if (list === undefined) throw new Error(`no list has ${row}`);
    list.remove(row);
    if (list.size === 0) lists.delete(key);
  }
}
