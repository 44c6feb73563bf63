import { honestDomainCount, honestOpinion, perfect, worst } from '../market.ts';
import { DAY_MS } from '../simulated-registry.ts';
import { type Attack, type AttackRun, belowMarks } from './attack.ts';
import { badMouthed } from './bad-mouthing.ts';
import { lived, trustMarks } from './honest-population.ts';
import { turned } from './on-off.ts';
import { oscillating } from './oscillation.ts';
import { ringThatMeetsHonest } from './ring.ts';

const beyond = { control: null, beyondTheTable: true } as const;
const quality = 0.1;

const withoutGates =
  (run: Attack['run']): Attack['run'] =>
  (newScoring, random): AttackRun => {
    const { figures, tracks } = run(newScoring, random);
    return { figures: figures.map((figure) => ({ ...figure, gate: null })), tracks };
  };

const ringDomains = 3;

/** Each further domain of an attacker lifts its target further: the price depends on who issues organisation keys. */
const ringOfThree: Attack = {
  ...beyond,
  name: 'ring-of-three',
  title: `Ring of ${ringDomains} org domains, then 8 honest domains (quality ${quality})`,
  steps: 'honest reviews after the ring',
  marks: [
    { score: 70, label: 'trusted' },
    { score: 50, label: 'below 50' },
  ],
  run: (newScoring, random) => {
    const { lifted, scores, untilBelow50 } = ringThatMeetsHonest(newScoring(), random, ringDomains, 60);
    return {
      figures: [
        { label: 'highest score of the target', value: Math.max(...lifted), gate: null },
        { label: 'honest reviews until below 50', value: untilBelow50, gate: null },
      ],
      tracks: [{ label: 'target', scores }],
    };
  },
};

const restDays = 91;

/** Once all honest reviews are too old to be recent, the recent evidence is the attacker's alone. */
const badMouthingAfterARest: Attack = {
  ...beyond,
  name: 'bad-mouthing-after-a-rest',
  title: `Bad-mouthing of an agent that nobody has reviewed for ${restDays} days`,
  steps: 'reviews',
  marks: [],
  run: (newScoring, random) => {
    const { scores, fall } = badMouthed(newScoring(), random, restDays * DAY_MS);
    return { figures: [{ label: 'fall', value: fall, gate: null }], tracks: [{ label: 'target', scores }] };
  },
};

const manyDomains = 20;

/** Three recent reviews from each of many domains are a large reputation to exploit. */
const onOffInALargeMarket: Attack = {
  ...beyond,
  name: 'on-off-in-a-large-market',
  title: `On-off where ${manyDomains} honest domains have dealt with the agent, not 8`,
  steps: 'reviews',
  marks: belowMarks,
  run: withoutGates(turned({ domainCount: manyDomains })),
};

/** Not everyone gives a failed exchange a 1. */
export const onOffWithMildReviewers: Attack = {
  ...beyond,
  name: 'on-off-with-mild-reviewers',
  title: `On-off where bad means quality ${quality} (failed, rated 1 to 4), not 1/10`,
  steps: 'reviews',
  marks: belowMarks,
  run: withoutGates(turned({ bad: (random) => honestOpinion(quality, random) })),
};

/** The cap that stops one domain from ruining an agent also stops it from being heard when it alone is cheated. */
export const cheatsOneDomain: Attack = {
  ...beyond,
  name: 'cheats-one-domain',
  title: 'Oscillation, 30 percent bad, where one domain of 8 gets all that is bad and the others none',
  steps: 'reviews',
  marks: [{ score: 70, label: 'mean below 70' }],
  run: withoutGates(
    oscillating((isBad, honest, random) => ({
      reviewer: honest.reviewerOf(isBad ? 0 : 1 + random.below(honestDomainCount - 1)),
      opinion: isBad ? worst : perfect,
    })),
  ),
};

/**
 * Quality as the chance that an exchange succeeds: the same rating, but an agent of quality 0.9 fails outright one time in ten. The policy
 * punishes failures hard, so good agents that fail now and then earn "trusted" slowly or not at all.
 */
export const honestPopulationByLuck: Attack = {
  ...beyond,
  name: 'honest-population-by-luck',
  title: 'Honest population where quality is the chance that an exchange succeeds',
  steps: 'steps of 40 reviews',
  marks: trustMarks,
  run: withoutGates((newScoring, random) =>
    lived(newScoring(), random, (chance) => ({
      success: random.next() < chance,
      score: honestOpinion(chance, random).score,
    })),
  ),
};

/** Harder variants without gates, which show what the policy does not prevent. */
export const beyondTheTable: readonly Attack[] = [
  ringOfThree,
  badMouthingAfterARest,
  onOffInALargeMarket,
  onOffWithMildReviewers,
  cheatsOneDomain,
  honestPopulationByLuck,
];
