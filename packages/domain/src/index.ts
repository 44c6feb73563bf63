export { blockOf } from './agent/block.ts';
export type * from './agent/commands.ts';
export { contactEmailMissing } from './agent/claims.ts';
export {
  capabilitiesOfWeightMax,
  changedFields,
  defaultConfiguration,
  patchConfiguration,
} from './agent/configuration.ts';
export { isErased } from './agent/contact.ts';
export { agentDecider } from './agent/decider.ts';
export { ensureCloneable, ensurePlaceForClone, ensureSandboxKey, isVoidPairing } from './agent/pairs.ts';
export * from './agent/promote.ts';
export * from './agent/register.ts';
export {
  type AgentState,
  ensureRegisteredAgent,
  type HeldReservation,
  type OwnAlias,
  type RegisteredAgent,
} from './agent/state.ts';
export * from './agent/update.ts';
export * from './capability/alias.ts';
export * from './capability/confirm-capabilities.ts';
export * from './capability/seed-meaning.ts';
export * from './capability/taxonomy.ts';
export * from './decider.ts';
export { type AnswerReview, ensureMayAnswer, ensureUnansweredReview } from './exchange/answer.ts';
export type * from './exchange/commands.ts';
export { exchangeDecider } from './exchange/decider.ts';
export * from './exchange/review.ts';
export { endedExchange, type ExchangeParties, type ExchangeState } from './exchange/state.ts';
export * from './operator-keys.ts';
export * from './organisation/decider.ts';
export { findNamedKey, type NamedKey } from './organisation/named-keys.ts';
export * from './organisation/org-domain.ts';
export * from './organisation/org-domain-holder.ts';
export { domainProofTerms, nextCheckOf } from './organisation/org-domain-proof.ts';
export {
  evolveProof,
  isProofEvent,
  type OrgDomainHolder,
  type OrgDomainProof,
  type OrgDomainState,
} from './organisation/org-domain-state.ts';
export {
  type CreatedOrganisation,
  normaliseOrgName,
  orgIdOfName,
  type OrganisationState,
} from './organisation/state.ts';
export * from './trust-policy.ts';
export * from './trust.ts';
export * from './webhooks.ts';
