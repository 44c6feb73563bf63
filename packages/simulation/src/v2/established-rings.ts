import { formRing } from '../attacks/ring.ts';
import { reviewsUntilBelow } from '../attacks/attack.ts';
import { honestOpinion, perfect, registerAttackers, registerHonestDomains, scoresOfReviewed } from '../market.ts';
import { SimulatedRegistry } from '../simulated-registry.ts';
import { atMost, type AttackV2, below50, type CaseV2, played, promise, type PromiseV2, trusted } from './attack-v2.ts';
import {
  agentsPerOrganisation,
  cheat,
  customersMax,
  organisation,
  registerEstablishedAttackers,
  reviewInRounds,
} from './moves.ts';
import { ringRounds } from './rings.ts';

const targets = 10;

const establishedRing: AttackV2 = {
  name: 'established-ring',
  title: 'Three organisations that served six honest ones lift a target that then is bad (quality 0.1)',
  steps: 'honest reviews after the ring',
  marks: [trusted, below50],
  cases: [
    {
      label: '3 organisations that served 6 honest ones first',
      figures: { peak: null, 'honest reviews until below 50': promise(atMost(7), 'plain mean') },
      play: (newScoring, random) => {
        const registry = new SimulatedRegistry(newScoring());
        const honest = registerHonestDomains(registry, random);
        const ring = registerEstablishedAttackers(registry, honest, 3);
        const { target, scores: lifted } = formRing(registry, random, ring, ringRounds);
        const scores = scoresOfReviewed(registry, target, customersMax, () => ({
          reviewer: honest.nextReviewer(),
          opinion: honestOpinion(0.1, random),
        }));
        const untilBelow50 = reviewsUntilBelow(50, scores.slice(1));
        return played({ peak: Math.max(...lifted), 'honest reviews until below 50': untilBelow50 }, scores);
      },
    },
  ],
};

/** Established organisations lift one target after the other; each cheats customers until it is found out. */
const serialCase = (
  label: string,
  count: number,
  victims: PromiseV2,
  { isAdopted = false, praiseBetween = false }: { isAdopted?: boolean; praiseBetween?: boolean } = {},
): CaseV2 => ({
  label,
  figures: { 'victims of 10 targets': victims },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const ring = registerEstablishedAttackers(registry, honest, count);
    const scores: (number | null)[] = [];
    let victims = 0;
    for (let number = 0; number < targets; number += 1) {
      const target = registry.register(`target-${number}`);
      reviewInRounds(registry, ring, target, { scores });
      if (isAdopted) registry.adopt(target, `adopter-${number}.test`);
      victims += cheat(registry, honest.nextReviewer, target, { scores });
      scores.push(null);
      if (praiseBetween) praiseEachOther(registry, ring);
    }
    return played({ 'victims of 10 targets': victims }, scores);
  },
});

/** Each agent praises one of each other organisation, three times. */
const praiseEachOther = (registry: SimulatedRegistry, ring: readonly string[][]): void => {
  for (const [place, agents] of ring.entries()) {
    for (const praised of ring.filter((_, other) => other !== place)) {
      for (const [index, agent] of agents.entries()) {
        for (let time = 0; time < 3; time += 1) registry.review(agent, praised[index] ?? '', perfect);
      }
    }
  }
};

const serialRing: AttackV2 = {
  name: 'serial-ring',
  title: 'Established organisations lift 10 targets, which cheat one after the other until found out',
  steps: 'praise of a target in rounds, then its customers, one target after the other',
  marks: [trusted],
  cases: [
    serialCase('3 established', 3, promise(atMost(12), 'nobody answers')),
    serialCase('5 established', 5, promise(atMost(18), 'nobody answers')),
    serialCase('3, the targets are adopted before they cheat', 3, promise(atMost(12), 'nobody answers'), {
      isAdopted: true,
    }),
    serialCase('5 that praise each other between', 5, null, { praiseBetween: true }),
  ],
};

/** Organisations praise the agents of one that burns them. */
const burntCase = (label: string, isEstablished: boolean, victims: PromiseV2): CaseV2 => ({
  label,
  figures: { 'victims of 10 agents': victims },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const ring = isEstablished
      ? registerEstablishedAttackers(registry, honest, 3)
      : registerAttackers(registry, 3, agentsPerOrganisation);
    const scores: (number | null)[] = [];
    let victims = 0;
    for (let number = 0; number < targets; number += 1) {
      const target = registry.register(`burnt.test/${number}`, organisation('burnt.test'));
      reviewInRounds(registry, ring, target, { scores });
      victims += cheat(registry, honest.nextReviewer, target, { scores });
      scores.push(null);
    }
    return played({ 'victims of 10 agents': victims }, scores);
  },
});

const burntRing: AttackV2 = {
  name: 'burnt-ring',
  title: 'Ten agents of one organisation cheat in turn, each praised by three other organisations',
  steps: 'praise of an agent in rounds, then its customers, one agent after the other',
  marks: [trusted],
  cases: [
    burntCase(
      '3 new ones praise',
      false,
      promise(atMost(8), 'cap for unaffiliated agents only', 'new roots have 20 percent'),
    ),
    burntCase('3 established praise', true, null),
  ],
};

/** Organisations with a good name lend it to one agent after the other. */
export const establishedRingRows: readonly AttackV2[] = [establishedRing, serialRing, burntRing];
