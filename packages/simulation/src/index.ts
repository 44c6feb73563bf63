export { chosenByName, namesOf, readSeeds } from './main/read-arguments.ts';
export type { Attack, AttackRun, Figure, Gate, Track } from './attacks/attack.ts';
export { allAttacks, gateTable } from './attacks/index.ts';
export { attackPlot } from './attack-plot.ts';
export { type AttackResult, attackSteps, type FigureResult, runAttack } from './run-attack.ts';
export { shownSteps } from './shown-steps.ts';
export { tracksOf } from './v2/attack-plot-v2.ts';
export { gateTableV2 } from './v2/gate-table-v2.ts';
export { type AttackResultV2, attackStepsV2 } from './v2/run-attack-v2.ts';
