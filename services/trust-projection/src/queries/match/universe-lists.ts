import type { AgentColumns } from './agent-columns.ts';
import { matchSteps } from './match-steps.ts';
import { SortedNumbers } from './sorted-numbers.ts';

/** A holder of a capability: its row, with the weight in the last two bits. */
export const packHolder = (row: number, weight: number): number => row * 4 + weight;

/** The routable agents of one universe, in the orders that questions need. A row must be out of it while its columns change. */
export class UniverseLists {
  /** By what an agent brings to every question, best first: the answer where no capability is asked for. */
  readonly byBase: SortedNumbers;
  readonly #columns: AgentColumns;
  readonly #holders: Map<number, SortedNumbers> = new Map();
  readonly #withTrait: Map<number, SortedNumbers> = new Map();

  constructor(columns: AgentColumns) {
    this.#columns = columns;
    this.byBase = new SortedNumbers((a, b) => this.#compareBase(a, b));
  }

  /** The agents that have a capability, packed as `packHolder` does, by agent_id; noted is what each brings to every question. */
  holdersOf(name: number): SortedNumbers | undefined {
    return this.#holders.get(name);
  }

  /** The agents with a trait, as `byBase` has them. */
  withTrait(trait: number): SortedNumbers | undefined {
    return this.#withTrait.get(trait);
  }

  add(row: number): void {
    this.#place(row);
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      this.#holdersIn(packed >>> 2).insert(packHolder(row, packed & 3));
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
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      this.#holders.get(packed >>> 2)?.renew(packHolder(row, packed & 3));
    }
  }

  #place(row: number): void {
    this.byBase.insert(row);
    for (const trait of this.#columns.traits[row] as readonly number[]) {
      let list = this.#withTrait.get(trait);
      if (list === undefined) this.#withTrait.set(trait, (list = new SortedNumbers(this.#compareBase)));
      list.insert(row);
    }
  }

  #displace(row: number): void {
    this.byBase.remove(row);
    for (const trait of this.#columns.traits[row] as readonly number[]) this.#takeFrom(this.#withTrait, trait, row);
  }

  readonly #compareBase = (a: number, b: number): number => {
    const { matchBase } = this.#columns;
    return (
      matchSteps(0, matchBase[b] as number) - matchSteps(0, matchBase[a] as number) ||
      this.#columns.compareStanding(a, b)
    );
  };

  readonly #compareHolders = (a: number, b: number): number => this.#columns.compareIds(a >>> 2, b >>> 2);

  #holdersIn(name: number): SortedNumbers {
    let list = this.#holders.get(name);
    if (list === undefined) {
      list = new SortedNumbers(this.#compareHolders, (packed) => this.#columns.matchBase[packed >>> 2] as number);
      this.#holders.set(name, list);
    }
    return list;
  }

  #takeFrom(lists: Map<number, SortedNumbers>, key: number, value: number): void {
    const list = lists.get(key);
    if (list === undefined) throw new Error(`no list has ${value}`);
    list.remove(value);
    if (list.size === 0) lists.delete(key);
  }
}
