import type { AttackV2 } from './attack-v2.ts';
import { establishedRingRows } from './established-rings.ts';
import { fallingRows } from './falling.ts';
import { honestRows } from './honest-agents.ts';
import { mintingRows } from './minting.ts';
import { ringRows } from './rings.ts';
import { slanderRows } from './slander.ts';
import { unaffiliatedRows } from './unaffiliated.ts';

/** The rows of the gate table of policy v2, those that it does not withstand included: their figures have no gate. */
export const gateTableV2: readonly AttackV2[] = [
  ...ringRows,
  ...establishedRingRows,
  ...unaffiliatedRows,
  ...mintingRows,
  ...fallingRows,
  ...slanderRows,
  ...honestRows,
];
