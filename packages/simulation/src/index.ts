export { chosenByName, namesOf, readSeeds } from './main/read-arguments.ts';
export type { Attack, AttackRun, Figure, Gate, Track } from './attacks/attack.ts';
export { allAttacks, gateTable } from './attacks/index.ts';
export { attackPlot } from './attack-plot.ts';
export { type AttackResult, attackSteps, type FigureResult, runAttack } from './run-attack.ts';
export { shownSteps } from './shown-steps.ts';
