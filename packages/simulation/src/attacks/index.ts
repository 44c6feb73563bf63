import type { Attack } from './attack.ts';
import { badMouthing } from './bad-mouthing.ts';
import { badMouthingAfterARest } from './beyond/bad-mouthing-after-a-rest.ts';
import { cheatsOneDomain } from './beyond/cheats-one-domain.ts';
import { honestPopulationByLuck } from './beyond/honest-population-by-luck.ts';
import { onOffInALargeMarket } from './beyond/on-off-in-a-large-market.ts';
import { onOffWithMildReviewers } from './beyond/on-off-with-mild-reviewers.ts';
import { ringOfThree } from './beyond/ring-of-three.ts';
import { honestPopulation } from './honest-population.ts';
import { onOff } from './on-off.ts';
import { oscillation } from './oscillation.ts';
import { ring } from './ring.ts';
import { ringMeetsHonest } from './ring-meets-honest.ts';
import { seededSybils } from './seeded-sybils.ts';
import { sybilFarm } from './sybil-farm.ts';

/** The rows of the gate table, in its order. */
export const gateTable: readonly Attack[] = [
  sybilFarm,
  seededSybils,
  ring,
  ringMeetsHonest,
  badMouthing,
  onOff,
  oscillation,
  honestPopulation,
];

/** The rows, and harder variants of them that no gate is set for: what the policy does not prevent is to be seen, too. */
export const allAttacks: readonly Attack[] = [
  ...gateTable,
  ringOfThree,
  badMouthingAfterARest,
  onOffInALargeMarket,
  onOffWithMildReviewers,
  cheatsOneDomain,
  honestPopulationByLuck,
];
