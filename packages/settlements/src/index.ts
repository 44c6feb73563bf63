export { type DemandPlace, type KeptDemand, type KeptDemands, openKeptDemands } from './kept-demands.ts';
export { type PaidRequest, recordSettlement, type SettlementRecordDeps } from './record-settlement.ts';
export { settlementLimits } from './limits.ts';
export { settlementIdOf } from './settlement-id.ts';
