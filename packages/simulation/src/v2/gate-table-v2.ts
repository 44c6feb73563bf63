import type { AttackV2 } from './attack-v2.ts';
import { otherRows } from './falling.ts';
import { ringRows } from './rings.ts';
import { unaffiliatedRows } from './unaffiliated.ts';

/** The rows of the gate table of policy v2, and rows that it does not withstand, which have no gate. */
export const gateTableV2: readonly AttackV2[] = [...ringRows, ...otherRows, ...unaffiliatedRows];
