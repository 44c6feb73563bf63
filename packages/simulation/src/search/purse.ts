import { perfect } from '../market.ts';
import type { Opinion, SimulatedRegistry } from '../simulated-registry.ts';

/** What an attacker has: organisations with a key, agents, and exchanges, whether sham, honest or fraudulent. */
export type Budget = { organisations: number; agents: number; exchanges: number };

/** An attacker's means in one run. Each request that is beyond them is refused, so that every strategy can be played. */
export class Purse {
  private readonly left: Budget;
  private readonly budget: Budget;
  private readonly registry: SimulatedRegistry;
  private serviceCount = 0;

  constructor(registry: SimulatedRegistry, budget: Budget) {
    this.registry = registry;
    this.budget = budget;
    this.left = { ...budget };
  }

  get spent(): Budget {
    const { budget, left } = this;
    return {
      organisations: budget.organisations - left.organisations,
      agents: budget.agents - left.agents,
      exchanges: budget.exchanges - left.exchanges,
    };
  }

  /** The name of a new organisation; null if there is none left. */
  organisation(): string | null {
    if (this.left.organisations === 0) return null;
    this.left.organisations -= 1;
    return Purse.nameOf(this.spent.organisations - 1);
  }

  /** The name of an attacker's organisation, by its number. */
  static nameOf(number: number): string {
    return `attacker-${number + 1}.test`;
  }

  /** The id of a new agent of an organisation, or of nobody; null if there is none left. */
  agent(organisation: string | null): string | null {
    if (this.left.agents === 0) return null;
    this.left.agents -= 1;
    const id = `${organisation ?? 'nobody'}/${this.spent.agents}`;
    return this.registry.register(id, organisation === null ? null : { orgId: organisation, orgDomain: organisation });
  }

  /** At most so many new agents. */
  agents(organisation: string | null, count: number): string[] {
    return Array.from({ length: Math.min(count, this.left.agents) }, () => this.agent(organisation) ?? '');
  }

  /** One exchange, with its review. Whether it took place: not without means, nor where the registry refuses the review. */
  exchange(reviewer: string, receiver: string, opinion: Opinion): boolean {
    if (this.left.exchanges === 0 || !this.registry.review(reviewer, receiver, opinion)) return false;
    this.left.exchanges -= 1;
    return true;
  }

  /** A good service to an honest customer: the one kind of exchange that costs the attacker work. */
  serve(customer: string, agent: string): void {
    if (this.exchange(customer, agent, perfect)) this.serviceCount += 1;
  }

  get services(): number {
    return this.serviceCount;
  }

  get isEmpty(): boolean {
    return this.left.exchanges === 0;
  }
}
