export { capabilitiesOfWeightMax, ensureCapabilityWeightTiers } from './agent/capability-weight-tiers.ts';
export type * from './agent/commands.ts';
export { changedFields } from './agent/changed-fields.ts';
export { agentDecider } from './agent/decider.ts';
export { patchConfiguration } from './agent/patch-configuration.ts';
export { defaultConfiguration } from './agent/register/default-configuration.ts';
export { ensureCloneable } from './agent/register/clone-copies-a-live-agent.ts';
export { ensureSandboxKey } from './agent/register/clone-needs-sandbox-key.ts';
export {
  admitRegistration,
  type AdmittedRegistration,
  completeRegistration,
  confirmRegistration,
} from './agent/register/decide.ts';
export { ensurePlaceForClone, isVoidPairing } from './agent/register/one-clone-a-live-agent.ts';
export type { AgentState, HeldReservation, RegisteredAgent, UnregisteredAgent } from './agent/state.ts';
export {
  type AdmittedUpdate,
  admitUpdate,
  type AllowedUpdate,
  completeUpdate,
  ensureUpdateAllowed,
} from './agent/update/decide.ts';
export { ensureDraft, liveAgentIdOf } from './agent/universe/drafts-live-in-the-sandbox.ts';
export { type AllowedPromotion, completePromotion, ensurePromotable } from './agent/universe/promote.ts';
export { promotedFields } from './agent/universe/what-promotion-copies.ts';
export { contactAfterErasure, isErased } from './agent/personal-data/is-erased.ts';
export { trustPriorOf, unverifiedTrustPrior, verifiedTrustPrior } from './agent/trust-prior.ts';
export {
  type CapabilityConfirmation,
  confirmCapabilities,
  type ConfirmationAnswers,
} from './capability/confirm-capabilities.ts';
export { taxonomyDecider } from './capability/taxonomy/decider.ts';
export type { PublishTaxonomy } from './capability/taxonomy/publish.ts';
export type { CapabilityDefinition } from './capability/taxonomy/state.ts';
export { type Decider, fold, unreachable } from './decider.ts';
export type * from './exchange/commands.ts';
export { exchangeDecider } from './exchange/decider.ts';
export type { ExchangeParties, ExchangeState } from './exchange/state.ts';
export type { CreateOrganisation } from './organisation/create/decide.ts';
export { type OrganisationCommand, organisationDecider } from './organisation/decider.ts';
export {
  type KnownHolder,
  orgDomainHoldersMax,
  type ReserveOrgDomain,
} from './organisation/org-domain-reservation/decide.ts';
export { orgDomainDecider } from './organisation/org-domain-reservation/decider.ts';
export {
  type HolderStanding,
  orgDomainReservationLeaseSeconds,
  standingOfHolder,
} from './organisation/org-domain-reservation/standing-of-holder.ts';
export { holderOf, type OrgDomainHolder, type OrgDomainState } from './organisation/org-domain-reservation/state.ts';
export { normaliseOrgName, orgIdOfName } from './organisation/org-id.ts';
export type { OrganisationState } from './organisation/state.ts';
export type * from './review/commands.ts';
export { ensureReviewAllowed } from './review/decide.ts';
export { reviewerTrustScoreMin } from './review/reviewer-needs-50.ts';
export {
  cautionScoreMin,
  recommendedActionOf,
  trustedScoreMin,
  unregisteredAction,
} from './trust/decision-rule.ts';
export { type ActivateTrustPolicy } from './trust-policy/activate/decide.ts';
export { trustPolicyDecider } from './trust-policy/decider.ts';
export { initialTrustPolicy, type TrustPolicyState } from './trust-policy/state.ts';
export {
  type DeleteWebhook,
  type RegisterWebhook,
  type ReplayWebhook,
  type WebhookCommand,
  webhooksDecider,
} from './webhook/decider.ts';
export type { WebhooksState } from './webhook/state.ts';
export { type FlaggedAgent, flagsOf, unregisteredFlags } from './trust/flags.ts';
