export { type CarriedPayment, carryPayment, keepDemand } from './carried-payment.ts';
export { type DemandPlace, type KeptDemand, type KeptDemands, openKeptDemands } from './kept-demands.ts';
export { settlementLimits } from './limits.ts';
export type { Payer, SettlementRecordDeps } from './record-settlement.ts';
export { settleAnswer } from './settle-answer.ts';
