import type { Attack } from './attack.ts';
import { badMouthing } from './bad-mouthing.ts';
import { beyondTheTable } from './beyond-the-table.ts';
import { honestPopulation } from './honest-population.ts';
import { onOff } from './on-off.ts';
import { oscillation } from './oscillation.ts';
import { ring, ringMeetsHonest } from './ring.ts';
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

export const allAttacks: readonly Attack[] = [...gateTable, ...beyondTheTable];
