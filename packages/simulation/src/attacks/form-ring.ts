import { registerAttackers } from '../market/attacker-domains.ts';
import { perfect } from '../market/honest-opinion.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { SimulatedRegistry } from '../registry/simulated-registry.ts';
import { MINUTE_MS } from '../registry/time.ts';

const agentsPerDomain = 10;
const rounds = 100;
const roundMs = 10 * MINUTE_MS;
/** Of the ring's agents, how many the target praises in a round once it may. */
const thanksPerRound = 4;

/**
 * A ring of a few org domains lifts a target that belongs to nobody: one of theirs would start at 75, and then they might
 * not review it. In each round every agent praises the target and one of another domain, and the target praises them back.
 * Within hours, so that nothing has aged when the ring's work is put to the test.
 *
 * @returns the target and its score after each review of it.
 */
export function formRing(
  registry: SimulatedRegistry,
  random: SeededRandom,
  domainCount: number,
): { target: string; scores: number[] } {
  const domains = registerAttackers(registry, domainCount, agentsPerDomain);
  const ring = domains.flat();
  const target = registry.register('target');
  const any = (agents: string[]): string => agents[random.below(agents.length)] ?? target;
  const scores = [registry.score(target)];
  for (let round = 0; round < rounds; round += 1) {
    for (const [domain, agents] of domains.entries()) {
      const others = domains.filter((_, other) => other !== domain).flat();
      for (const agent of agents) {
        if (others.length > 0) registry.review(agent, any(others), perfect);
      }
    }
    for (let time = 0; time < thanksPerRound; time += 1) registry.review(target, any(ring), perfect);
    for (const agent of random.shuffled(ring)) {
      registry.review(agent, target, perfect);
      scores.push(registry.score(target));
    }
    registry.pass(roundMs);
  }
  return { target, scores };
}
