import { reviewsUntilBelow } from '../attacks/attack.ts';
import { onOffWithMildReviewers, cheatsOneDomain } from '../attacks/beyond-the-table.ts';
import { turned } from '../attacks/on-off.ts';
import { oscillation } from '../attacks/oscillation.ts';
import { badMouthed } from '../attacks/bad-mouthing.ts';
import { perfect, registerAttackers, registerHonestDomains } from '../market.ts';
import { DAY_MS, HOUR_MS, SimulatedRegistry } from '../simulated-registry.ts';
import {
  atMost,
  type AttackV2,
  below,
  below50,
  type CaseV2,
  played,
  promise,
  type PromiseV2,
  trusted,
} from './attack-v2.ts';
import type { ControlNameV2 } from './controls-v2.ts';
import { agentsPerOrganisation, cheat, customersMax, organisation, serve, trustedFrom } from './moves.ts';

const fallsBelow = (limit: 70 | 50): string => `bad reviews to below ${limit}`;

const turnedCase = (
  label: string,
  gates: Readonly<Record<70 | 50, number | null>>,
  control: ControlNameV2,
  run: ReturnType<typeof turned>,
): CaseV2 => ({
  label,
  figures: Object.fromEntries(
    ([70, 50] as const).map((limit) => {
      const most = gates[limit];
      return [fallsBelow(limit), most === null ? null : promise(atMost(most), control)];
    }),
  ),
  play: (newScoring, random) => {
    const { figures, tracks } = run(newScoring, random);
    const values = {
      [fallsBelow(70)]: figures[0]?.value ?? Number.NaN,
      [fallsBelow(50)]: figures[1]?.value ?? Number.NaN,
    };
    return played(values, tracks[0]?.scores ?? []);
  },
});

const onOffCovered: CaseV2 = {
  label: '8 organisations, covered by 5 praising colluders',
  figures: { [fallsBelow(50)]: promise(atMost(12), 'plain mean') },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const ring = registerAttackers(registry, 5, agentsPerOrganisation);
    const target = registry.register('target', organisation('target.test'));
    const scores: number[] = [registry.score(target)];
    serve(registry, honest.nextReviewer, target, 100, { scores });
    let covered = 0;
    const cover = (): void => {
      for (const agents of ring) registry.review(agents[covered % agents.length] ?? '', target, perfect);
      covered += 1;
    };
    const bad: number[] = [];
    cheat(registry, honest.nextReviewer, target, { wanted: 0, cover, scores: bad });
    return played({ [fallsBelow(50)]: reviewsUntilBelow(50, bad.slice(1)) }, [...scores, ...bad.slice(1)]);
  },
};

const onOff: AttackV2 = {
  name: 'on-off',
  title: '100 good reviews, then only bad ones',
  steps: 'reviews',
  marks: [trusted, below50],
  cases: [
    turnedCase('8 organisations', { 70: 6, 50: 12 }, 'plain mean', turned()),
    turnedCase('8 organisations, mild reviewers', { 70: null, 50: 12 }, 'plain mean', onOffWithMildReviewers.run),
    turnedCase('20 organisations', { 70: 7, 50: 12 }, 'recent without limit', turned({ domainCount: 20 })),
    onOffCovered,
  ],
};

/** An agent is good for 300 days, then bad. */
const exitCase = (label: string, organisationName: string | null): CaseV2 => ({
  label,
  figures: { [fallsBelow(50)]: promise(atMost(13), 'plain mean') },
  play: (newScoring, random) => {
    const registry = new SimulatedRegistry(newScoring());
    const honest = registerHonestDomains(registry, random);
    const target = registry.register('target', organisationName === null ? null : organisation(organisationName));
    const scores = [registry.score(target)];
    for (let day = 0; day < 300; day += 1) {
      registry.pass(DAY_MS - HOUR_MS);
      serve(registry, honest.nextReviewer, target, 1, { scores });
    }
    const bad: number[] = [];
    cheat(registry, honest.nextReviewer, target, { wanted: 0, count: customersMax, scores: bad });
    return played({ [fallsBelow(50)]: reviewsUntilBelow(50, bad.slice(1)) }, [...scores, ...bad.slice(1)]);
  },
});

const exitScam: AttackV2 = {
  name: 'exit-scam',
  title: '300 days good, then bad',
  steps: 'reviews',
  marks: [below50],
  cases: [exitCase('an unaffiliated agent', null), exitCase("an organisation's agent", 'target.test')],
};

const meanCase = (label: string, mean: PromiseV2, run: typeof oscillation.run): CaseV2 => ({
  label,
  figures: { 'mean score': mean },
  play: (newScoring, random) => {
    const { figures, tracks } = run(newScoring, random);
    return played({ 'mean score': figures[0]?.value ?? Number.NaN }, tracks[0]?.scores ?? []);
  },
});

const oscillates: AttackV2 = {
  name: 'oscillation',
  title: 'An agent is bad in 30 percent of its exchanges',
  steps: 'reviews',
  marks: [{ score: trustedFrom, label: 'mean below 70' }],
  cases: [meanCase('30 % bad', promise(below(trustedFrom), 'plain mean'), oscillation.run)],
};

const cheatsOne: AttackV2 = {
  name: 'cheats-one',
  title: 'An agent is bad in 30 percent of its exchanges, all of them with one of 8 organisations',
  steps: 'reviews',
  marks: [{ score: trustedFrom, label: 'trusted' }],
  cases: [meanCase('all bad to one of 8', null, cheatsOneDomain.run)],
};

const restMs = 91 * DAY_MS;

const mouthedCase = (
  label: string,
  { attackers, rest = 0 }: { attackers: number; rest?: number },
  fall: PromiseV2,
): CaseV2 => ({
  label,
  figures: { fall },
  play: (newScoring, random) => {
    const made = badMouthed(newScoring(), random, rest, { attackers });
    return played({ fall: made.fall }, made.scores);
  },
});

const badMouthing: AttackV2 = {
  name: 'bad-mouthing',
  title: 'Organisations give the worst reviews to an agent of quality 0.95, 1000 of them',
  steps: 'reviews',
  marks: [],
  cases: [
    mouthedCase('1 organisation', { attackers: 1 }, promise(atMost(20), 'plain mean')),
    mouthedCase('2 organisations', { attackers: 2 }, null),
    mouthedCase(
      '1, after 91 days of rest',
      { attackers: 1, rest: restMs },
      promise(atMost(20), 'fast fall by one root', 'plain mean'),
    ),
    mouthedCase('2, after rest', { attackers: 2, rest: restMs }, null),
  ],
};

/** Agents that earned a good name and lose it, by their own doing or by others'. */
export const fallingRows: readonly AttackV2[] = [onOff, exitScam, oscillates, cheatsOne, badMouthing];
