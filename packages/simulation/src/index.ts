export type { Attack, AttackRun, Figure, Gate, Track } from './attacks/attack.ts';
export { allAttacks, gateTable } from './attacks/index.ts';
export { attackPlot } from './attack-plot.ts';
export { type AttackResult, attackSteps, type FigureResult, runAttack } from './run-attack.ts';
export { shownSteps } from './shown-steps.ts';
export { gateTableV2 } from './v2/gate-table-v2.ts';
export { type AttackV2, type CaseV2 } from './v2/attack-v2.ts';
export { type AttackResultV2, attackStepsV2, type FigureResultV2, runAttackV2 } from './v2/run-attack-v2.ts';
