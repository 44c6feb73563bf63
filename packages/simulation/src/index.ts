export type { Attack, AttackRun, Figure, Gate, Track } from './attacks/attack.ts';
export { allAttacks, gateTable } from './attacks/index.ts';
export { attackPlot } from './attack-plot.ts';
export { type AttackResult, attackSteps, type FigureResult, runAttack } from './run-attack.ts';
export { shownSteps } from './shown-steps.ts';
export { gateTableV2 } from './v2/gate-table-v2.ts';
export { controlsV2, scoringByPolicyV2 } from './v2/scoring-v2.ts';
