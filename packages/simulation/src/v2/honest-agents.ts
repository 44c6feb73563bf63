import { honestPopulationByLuck } from '../attacks/beyond-the-table.ts';
import { lived } from '../attacks/honest-population.ts';
import { honestOpinion, registerHonestDomains } from '../market.ts';
import { SimulatedRegistry } from '../simulated-registry.ts';
import { median } from '../statistics.ts';
import {
  atLeast,
  atMost,
  type AttackV2,
  below50,
  type CaseV2,
  exactly,
  missedFor,
  played,
  promise,
  type PromiseV2,
  trusted,
} from './attack-v2.ts';
import { organisation, serve, trustedFrom } from './moves.ts';

const quality = 0.9;
const reviews = 60;

/** An agent with a few customers. */
const customersCase = (
  label: string,
  customers: { count: number; isEstablished: boolean; isOneReviewer?: boolean; organisation?: string },
  promises: { score?: PromiseV2; until?: PromiseV2 },
): CaseV2 => ({
  label,
  figures: {
    [`score after ${reviews} reviews`]: promises.score ?? null,
    'reviews until 70': promises.until ?? null,
  },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const { count, isEstablished, isOneReviewer = false, organisation: name } = customers;
    const honest = registerHonestDomains(registry, random, count, isEstablished);
    const target = registry.register('target', name === undefined ? null : organisation(name));
    const reviewers = Array.from({ length: count }, (_, index) => honest.reviewerOf(index));
    let turn = 0;
    const nextOfFew = (): string => reviewers[turn++ % count] ?? '';
    const scores = [registry.score(target)];
    const opinion = () => honestOpinion(quality, random);
    serve(registry, isOneReviewer ? nextOfFew : honest.nextReviewer, target, reviews, { opinion, scores });
    const reached = scores.findIndex((score, index) => index > 0 && score >= trustedFrom);
    return played(
      {
        [`score after ${reviews} reviews`]: scores.at(-1) ?? Number.NaN,
        'reviews until 70': reached === -1 ? Number.POSITIVE_INFINITY : reached,
      },
      scores,
    );
  },
});

const fewCustomers: AttackV2 = {
  name: 'few-customers',
  title: 'An agent of quality 0.9 with a few customers',
  steps: 'reviews',
  marks: [trusted],
  cases: [
    customersCase('2 established, one reviewer each', { count: 2, isEstablished: true, isOneReviewer: true }, {}),
    customersCase(
      '3 established, one reviewer each',
      { count: 3, isEstablished: true, isOneReviewer: true },
      {
        score: missedFor([9, 18], promise(atLeast(70), 'no third voice')),
        until: promise(atMost(20), 'no third voice'),
      },
    ),
    customersCase('4 that are not established', { count: 4, isEstablished: false }, {}),
    customersCase('7 that are not', { count: 7, isEstablished: false }, { score: promise(atLeast(68)) }),
    customersCase('9 that are not', { count: 9, isEstablished: false }, { until: promise(atMost(20)) }),
    customersCase(
      'agent of an organisation, 3 established',
      { count: 3, isEstablished: true, organisation: 'target.test' },
      { until: promise(atMost(2)) },
    ),
  ],
};

const populationGates = {
  'Spearman(quality, score)': promise(atLeast(0.95)),
  '% of quality > 0.88 at 70 or more': promise(atLeast(85)),
  '% of quality < 0.5 at 50 or more': promise(atMost(5)),
  'agents of quality < 0.5 at 70 or more': promise(exactly(0)),
  'good unaffiliated agents: median of reviews until 70': null,
};

const population: AttackV2 = {
  name: 'population',
  title: 'Honest population: 20 organisations, 40 unaffiliated agents, 4000 reviews',
  steps: 'steps of 40 reviews',
  marks: [trusted, below50],
  cases: [
    {
      label: 'quality as ratings',
      figures: populationGates,
      play: (newScoring, random) => {
        const { figures, tracks, untilTrusted } = lived(newScoring(), random, honestOpinion);
        return {
          values: {
            ...Object.fromEntries(figures.map(({ label, value }) => [label, value])),
            'good unaffiliated agents: median of reviews until 70': median(untilTrusted),
          },
          tracks,
        };
      },
    },
  ],
};

const populationByLuck: AttackV2 = {
  name: 'population-by-luck',
  title: 'Honest population where quality is the chance that an exchange succeeds',
  steps: 'steps of 40 reviews',
  marks: [trusted, below50],
  cases: [
    {
      label: 'quality as chance',
      figures: { 'Spearman(quality, score)': promise(atLeast(0.92)), '% of quality > 0.88 at 70 or more': null },
      play: (newScoring, random) => {
        const { figures, tracks } = honestPopulationByLuck.run(newScoring, random);
        return { values: Object.fromEntries(figures.map(({ label, value }) => [label, value])), tracks };
      },
    },
  ],
};

/** Nobody attacks. */
export const honestRows: readonly AttackV2[] = [fewCustomers, population, populationByLuck];
