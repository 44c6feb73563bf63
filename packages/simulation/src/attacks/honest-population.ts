import { trustedScoreMin } from '@agent-trust/domain';
import { honestOpinion } from '../market.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import { HOUR_MS, type Opinion, SimulatedRegistry } from '../simulated-registry.ts';
import { mean, rankCorrelation } from '../statistics.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { Attack, AttackRun, Mark, Track } from './attack.ts';

const organisationCount = 20;
const unaffiliatedCount = 40;
const reviewCount = 4000;
const stepReviews = 40;

const isGood = (quality: number): boolean => quality > 0.88;
const isBad = (quality: number): boolean => quality < 0.5;

export const trustMarks: Mark[] = [
  { score: 70, label: 'trusted' },
  { score: 50, label: 'caution' },
];

/** Nobody attacks: does the score separate good agents from bad ones? */
export const honestPopulation: Attack = {
  name: 'honest-population',
  title: 'Honest population: 20 organisations, 40 unaffiliated agents, 4000 reviews',
  control: null,
  steps: 'steps of 40 reviews',
  marks: trustMarks,
  beyondTheTable: false,
  run: (newScoring, random) => lived(newScoring(), random, honestOpinion),
};

/**
 * A population's half a year, one review an hour, with a way in which honest reviewers report quality. `untilTrusted`: how many reviews each good
 * unaffiliated agent had when it first stood at 70 (infinity: never).
 */
export function lived(
  scoring: Scoring,
  random: SeededRandom,
  opinionOf: (quality: number, random: SeededRandom) => Opinion,
): AttackRun & { untilTrusted: number[] } {
  const registry = new SimulatedRegistry(scoring);
  const agents = [
    ...Array.from({ length: organisationCount }, (_, index) => {
      const orgDomain = `org-${index + 1}.test`;
      return registry.register(orgDomain, { orgId: orgDomain, orgDomain });
    }),
    ...Array.from({ length: unaffiliatedCount }, (_, index) => registry.register(`agent-${index + 1}`)),
  ];
  // Evenly spread, so that each run has as many good agents and as many bad ones.
  const qualities = random.shuffled(agents.map((_, index) => (index + 0.5) / agents.length));
  const groups: { label: string; members: string[]; track: Track }[] = [
    { label: 'quality above 0.88', holds: isGood },
    { label: 'quality 0.5 to 0.88', holds: (quality: number) => !isGood(quality) && !isBad(quality) },
    { label: 'quality below 0.5', holds: isBad },
  ].map(({ label, holds }) => ({
    label,
    members: agents.filter((_, index) => holds(qualities[index] ?? 0)),
    track: { label: `${label} (mean)`, scores: [] },
  }));
  const look = (): void => {
    for (const { members, track } of groups) {
      track.scores.push(members.length === 0 ? null : mean(members.map((agent) => registry.score(agent))));
    }
  };
  look();
  const earned = new Map(
    agents
      .map((agent, index) => ({ agent, isCounted: index >= organisationCount && isGood(qualities[index] ?? 0) }))
      .filter(({ isCounted }) => isCounted)
      .map(({ agent }) => [agent, { reviews: 0, untilTrusted: Number.POSITIVE_INFINITY }]),
  );
  const follow = (agent: string): void => {
    const known = earned.get(agent);
    if (known === undefined) return;
    known.reviews += 1;
    if (registry.score(agent) >= trustedScoreMin) known.untilTrusted = Math.min(known.untilTrusted, known.reviews);
  };
  while (registry.accepted < reviewCount) {
    const reviewer = random.below(agents.length);
    const receiver = (reviewer + 1 + random.below(agents.length - 1)) % agents.length;
    registry.pass(HOUR_MS);
    const opinion = opinionOf(qualities[receiver] ?? 0, random);
    const isRecorded = registry.review(agents[reviewer] ?? '', agents[receiver] ?? '', opinion);
    if (isRecorded) follow(agents[receiver] ?? '');
    if (isRecorded && registry.accepted % stepReviews === 0) look();
  }
  const scores = agents.map((agent) => registry.score(agent));
  const scoresOf = (holds: (quality: number) => boolean): number[] =>
    scores.filter((_, index) => holds(qualities[index] ?? 0));
  const percent = (part: number[], whole: number[]): number => (100 * part.length) / whole.length;
  const [good, bad] = [scoresOf(isGood), scoresOf(isBad)];
  const goodReached = percent(
    good.filter((score) => score >= trustedScoreMin),
    good,
  );
  const badAt50 = percent(
    bad.filter((score) => score >= 50),
    bad,
  );
  return {
    figures: [
      {
        label: 'Spearman(quality, score)',
        value: rankCorrelation(qualities, scores),
        gate: { relation: '>=', limit: 0.9 },
      },
      { label: '% of quality > 0.88 at 70 or more', value: goodReached, gate: { relation: '>=', limit: 85 } },
      { label: '% of quality < 0.5 at 50 or more', value: badAt50, gate: { relation: '<=', limit: 5 } },
      {
        label: 'agents of quality < 0.5 at 70 or more',
        value: bad.filter((score) => score >= trustedScoreMin).length,
        gate: { relation: '=', limit: 0 },
      },
    ],
    tracks: groups.map(({ track }) => track),
    untilTrusted: [...earned.values()].map(({ untilTrusted }) => untilTrusted),
  };
}
