import { honestOpinion, registerAttackers, registerHonestDomains, worst } from '../market.ts';
import { HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import { atLeast, type AttackV2, type CaseV2, exactly, played, promise, type PromiseV2, trusted } from './attack-v2.ts';
import { agentsPerOrganisation, organisation, reviewInRounds, trustedFrom } from './moves.ts';

/** New organisations slander a newcomer of another; then it registers one more agent. */
const slanderCase = (label: string, slanderers: number, promises: { score: PromiseV2; next: PromiseV2 }): CaseV2 => ({
  label,
  figures: { 'its score': promises.score, 'next agent of the organisation': promises.next },
  play: (newScoring) => {
    const registry = new SimulatedRegistry(newScoring());
    const attackers = registerAttackers(registry, slanderers, agentsPerOrganisation);
    const target = registry.register('target', organisation('target.test'));
    const scores = [registry.score(target)];
    reviewInRounds(registry, attackers, target, { opinion: worst, scores });
    const next = registry.score(registry.register('next', organisation('target.test')));
    return played({ 'its score': registry.score(target), 'next agent of the organisation': next }, scores);
  },
});

const slanderNewcomer: AttackV2 = {
  name: 'slander-newcomer',
  title: 'New organisations slander a newcomer of another, 10 agents each, in three rounds',
  steps: 'rounds',
  marks: [],
  cases: [
    slanderCase('1 slanderer', 1, { score: promise(atLeast(60), 'no cap'), next: promise(exactly(75)) }),
    slanderCase('2 slanderers', 2, { score: null, next: promise(atLeast(65), 'no cap') }),
    slanderCase('3 slanderers', 3, { score: null, next: promise(atLeast(60), 'no cap') }),
  ],
};

/** An organisation some of whose agents are bad registers another. */
const platformCase = (bad: number, of: number, newcomer: PromiseV2, good: PromiseV2): CaseV2 => ({
  label: `${bad} of ${of} agents bad`,
  figures: { 'score of a newcomer': newcomer, '% of its good agents at 70': good },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const agents = Array.from({ length: of }, (_, index) =>
      registry.register(`platform.test/${index}`, organisation('platform.test')),
    );
    const isBad = new Set(agents.slice(0, bad));
    // Not counted among its agents: its score is the organisation's record.
    const newcomer = registry.register('newcomer', organisation('platform.test'));
    const scores = [registry.score(newcomer)];
    for (let round = 0; round < 10; round += 1) {
      for (const agent of random.shuffled(agents)) {
        registry.pass(HOUR_MS);
        registry.review(honest.nextReviewer(), agent, honestOpinion(isBad.has(agent) ? 0.15 : 0.85, random));
        scores.push(registry.score(newcomer));
      }
    }
    const goodAgents = agents.filter((agent) => !isBad.has(agent));
    const reached = goodAgents.filter((agent) => registry.score(agent) >= trustedFrom);
    return played(
      {
        'score of a newcomer': registry.score(newcomer),
        '% of its good agents at 70': (100 * reached.length) / goodAgents.length,
      },
      scores,
    );
  },
});

const platform: AttackV2 = {
  name: 'platform',
  title: 'A platform with bad agents (quality 0.15, others 0.85), each reviewed ten times',
  steps: 'reviews; the line is the score of a newcomer',
  marks: [trusted],
  cases: [platformCase(2, 50, promise(atLeast(70)), null), platformCase(5, 20, null, null)],
};

/** What others say or do lowers agents that did nothing. */
export const slanderRows: readonly AttackV2[] = [slanderNewcomer, platform];
