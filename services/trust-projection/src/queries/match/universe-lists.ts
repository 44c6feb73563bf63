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
  readonly #ofOrganisation: Map<number, SortedNumbers> = new Map();

  constructor(columns: AgentColumns) {
    this.#columns = columns;
    this.byBase = new SortedNumbers((a, b) => this.#compareBase(a, b));
  }

  /** The agents that have a capability, packed as `packHolder` does, by agent_id. */
  holdersOf(name: number): SortedNumbers | undefined {
    return this.#holders.get(name);
  }

  /** The agents of an organisation, as `byBase` has them. */
  ofOrganisation(name: number): SortedNumbers | undefined {
    return this.#ofOrganisation.get(name);
  }

  add(row: number): void {
    this.place(row);
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      this.#listIn(this.#holders, packed >>> 2, this.#compareHolders).insert(packHolder(row, packed & 3));
    }
  }

  remove(row: number): void {
    this.displace(row);
    for (const packed of this.#columns.capabilities[row] as readonly number[]) {
      this.#takeFrom(this.#holders, packed >>> 2, packHolder(row, packed & 3));
    }
  }

  /** Puts an agent where its standing has it; for one whose capabilities stay. */
  place(row: number): void {
    const organisation = this.#columns.orgName[row] as number;
    this.byBase.insert(row);
    if (organisation >= 0) this.#listIn(this.#ofOrganisation, organisation, this.#compareBase).insert(row);
  }

  /** Undoes `place`. */
  displace(row: number): void {
    const organisation = this.#columns.orgName[row] as number;
    this.byBase.remove(row);
    if (organisation >= 0) this.#takeFrom(this.#ofOrganisation, organisation, row);
  }

  readonly #compareBase = (a: number, b: number): number => {
    const { matchBase } = this.#columns;
    return (
      matchSteps(0, matchBase[b] as number) - matchSteps(0, matchBase[a] as number) ||
      this.#columns.compareStanding(a, b)
    );
  };

  readonly #compareHolders = (a: number, b: number): number => this.#columns.compareIds(a >>> 2, b >>> 2);

  #listIn(lists: Map<number, SortedNumbers>, key: number, compare: (a: number, b: number) => number): SortedNumbers {
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = new SortedNumbers(compare)));
    return list;
  }

  #takeFrom(lists: Map<number, SortedNumbers>, key: number, value: number): void {
    const list = lists.get(key);
    if (list === undefined) throw new Error(`no list has ${value}`);
    list.remove(value);
    if (list.size === 0) lists.delete(key);
  }
}
