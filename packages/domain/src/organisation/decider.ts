import {
  DomainError,
  organisationIsDisabled,
  type OrganisationCreated,
  type OrganisationDisabled,
  type OrganisationEnabled,
  type OrganisationEvent,
  type OrganisationKeysReissued,
  type OrganisationLimitsSet,
  type OwnLimits,
  type ProductionKeyReplaced,
  type SandboxKeyIssued,
  type SandboxKeyRevoked,
} from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import { changeNamedKeys, type NamedKeyCommand, type NamedKeyEvent } from './named-keys.ts';
import { type CreatedOrganisation, evolveOrganisation, type OrganisationState } from './state.ts';

/** Commands contain only hashes of keys; `now` is RFC 3339. `orgId` is `orgIdOfName(orgName)`. */
export type CreateOrganisation = {
  type: 'CreateOrganisation';
  orgId: string;
  orgName: string;
  contactEmail: string;
  productionKeyHash: string;
  sandboxKeyHash: string;
  now: string;
};
type IssueSandboxKey = { type: 'IssueSandboxKey'; presentedKeyHash: string; sandboxKeyHash: string; now: string };
type RevokeSandboxKey = { type: 'RevokeSandboxKey'; presentedKeyHash: string; now: string };
type ReplaceProductionKey = {
  type: 'ReplaceProductionKey';
  presentedKeyHash: string;
  productionKeyHash: string;
  now: string;
};

type ByOperator = { organisation: string; reason: string; now: string };
type DisableOrganisation = ByOperator & { type: 'DisableOrganisation' };
type EnableOrganisation = ByOperator & { type: 'EnableOrganisation' };
type ReissueOrganisationKeys = ByOperator & {
  type: 'ReissueOrganisationKeys';
  productionKeyHash: string;
  sandboxKeyHash: string;
};

type SetOrganisationLimits = ByOperator & { type: 'SetOrganisationLimits'; limits: OwnLimits };

export type OrganisationCommand =
  | CreateOrganisation
  | IssueSandboxKey
  | RevokeSandboxKey
  | ReplaceProductionKey
  | DisableOrganisation
  | EnableOrganisation
  | ReissueOrganisationKeys
  | NamedKeyCommand
  | SetOrganisationLimits;

/** The rules of an organisation's stream (`organisationStream(orgId)`). */
export const organisationDecider: Decider<OrganisationCommand, OrganisationState, OrganisationEvent> = {
  initialState: { kind: 'absent' },
  evolve: evolveOrganisation,
  decide: (command, state) => {
    switch (command.type) {
      case 'CreateOrganisation':
        return createOrganisation(command, state);
      case 'IssueSandboxKey':
        return issueSandboxKey(command, state);
      case 'RevokeSandboxKey':
        return revokeSandboxKey(command, state);
      case 'ReplaceProductionKey':
        return replaceProductionKey(command, state);
      case 'DisableOrganisation':
        return disableOrganisation(command, state);
      case 'EnableOrganisation':
        return enableOrganisation(command, state);
      case 'ReissueOrganisationKeys':
        return reissueKeys(command, state);
      case 'CreateOrganisationKey':
      case 'ReplaceOrganisationKey':
      case 'RevokeOrganisationKey':
        return decideNamedKey(command, state);
      case 'SetOrganisationLimits':
        return setLimits(command, state);
      default:
        return unreachable(command);
    }
  },
};

/** Refusal: org_name_taken (compared without case or width). */
const createOrganisation = (command: CreateOrganisation, state: OrganisationState): OrganisationCreated[] => {
  if (state.kind === 'created') {
    throw new DomainError('org_name_taken', `org_name ${JSON.stringify(command.orgName)} is taken`);
  }
  const { orgId, orgName, contactEmail, productionKeyHash, sandboxKeyHash, now: createdAt } = command;
  return [
    {
      type: 'OrganisationCreated',
      data: { orgId, orgName: orgName.trim(), contactEmail, productionKeyHash, sandboxKeyHash, createdAt },
    },
  ];
};

/** An organisation has one sandbox key at a time. Refusals: invalid_api_key, sandbox_key_exists. */
const issueSandboxKey = (command: IssueSandboxKey, state: OrganisationState): SandboxKeyIssued[] => {
  const organisation = ensureCurrentProductionKey(command.presentedKeyHash, state);
  if (organisation.sandboxKeyHash !== null) {
    throw new DomainError(
      'sandbox_key_exists',
      `organisation ${JSON.stringify(organisation.orgName)} has a sandbox key already; it must be revoked before another is issued`,
    );
  }
  ensureNewKey(command.sandboxKeyHash, organisation);
  return [
    {
      type: 'SandboxKeyIssued',
      data: { orgId: organisation.orgId, sandboxKeyHash: command.sandboxKeyHash, issuedAt: command.now },
    },
  ];
};

/** The sandbox and its agents stay for the next key. Refusals: invalid_api_key, sandbox_key_absent. */
const revokeSandboxKey = (command: RevokeSandboxKey, state: OrganisationState): SandboxKeyRevoked[] => {
  const { orgId, orgName, sandboxKeyHash } = ensureCurrentProductionKey(command.presentedKeyHash, state);
  if (sandboxKeyHash === null) {
    throw new DomainError('sandbox_key_absent', `organisation ${JSON.stringify(orgName)} has no sandbox key`);
  }
  return [{ type: 'SandboxKeyRevoked', data: { orgId, revokedAt: command.now } }];
};

/** The former production key stops working. Refusal: invalid_api_key. */
const replaceProductionKey = (command: ReplaceProductionKey, state: OrganisationState): ProductionKeyReplaced[] => {
  const organisation = ensureCurrentProductionKey(command.presentedKeyHash, state);
  ensureNewKey(command.productionKeyHash, organisation);
  return [
    {
      type: 'ProductionKeyReplaced',
      data: { orgId: organisation.orgId, productionKeyHash: command.productionKeyHash, replacedAt: command.now },
    },
  ];
};

/** One that is disabled already stays so, for the first reason. Refuses with organisation_not_found. */
const disableOrganisation = (
  { organisation, reason, now }: DisableOrganisation,
  state: OrganisationState,
): OrganisationDisabled[] => {
  const { orgId, disabled } = ensureKnown(organisation, state);
  return disabled === null ? [{ type: 'OrganisationDisabled', data: { orgId, reason, disabledAt: now } }] : [];
};

/** Nothing to do for one that is not disabled. Refuses with organisation_not_found. */
const enableOrganisation = (
  { organisation, reason, now }: EnableOrganisation,
  state: OrganisationState,
): OrganisationEnabled[] => {
  const { orgId, disabled } = ensureKnown(organisation, state);
  return disabled === null ? [] : [{ type: 'OrganisationEnabled', data: { orgId, reason, enabledAt: now } }];
};

/** Both former keys and all named ones stop working, whoever has them. Refuses with organisation_not_found. */
const reissueKeys = (command: ReissueOrganisationKeys, state: OrganisationState): OrganisationKeysReissued[] => {
  const known = ensureKnown(command.organisation, state);
  const { productionKeyHash, sandboxKeyHash, reason, now: reissuedAt } = command;
  for (const keyHash of [productionKeyHash, sandboxKeyHash]) ensureNewKey(keyHash, known);
  const data = { orgId: known.orgId, productionKeyHash, sandboxKeyHash, reason, reissuedAt };
  return [{ type: 'OrganisationKeysReissued', data }];
};

/** Refuses with invalid_api_key, organisation_disabled, and as `changeNamedKeys` does. */
const decideNamedKey = (command: NamedKeyCommand, state: OrganisationState): NamedKeyEvent[] => {
  const organisation = ensureOwnKey(command, state);
  if (command.type !== 'RevokeOrganisationKey') ensureNewKey(command.keyHash, organisation);
  return changeNamedKeys(command, organisation);
};

/** Limits that hold already stay as they were set. Refuses with organisation_not_found. */
const setLimits = (
  { organisation, limits, reason, now: setAt }: SetOrganisationLimits,
  state: OrganisationState,
): OrganisationLimitsSet[] => {
  const { orgId, limits: present } = ensureKnown(organisation, state);
  const { callsPerDay, registrationsPerDay, readsPerDay } = limits;
  const isSet =
    present !== null &&
    present.callsPerDay === callsPerDay &&
    present.registrationsPerDay === registrationsPerDay &&
    present.readsPerDay === readsPerDay;
  const data = { orgId, callsPerDay, registrationsPerDay, readsPerDay, reason, setAt };
  return isSet ? [] : [{ type: 'OrganisationLimitsSet', data }];
};

const ensureKnown = (organisation: string, state: OrganisationState): CreatedOrganisation => {
  if (state.kind === 'created') return state;
  throw new DomainError('organisation_not_found', `there is no organisation ${JSON.stringify(organisation)}`);
};

/**
 * Only the organisation's own key of a universe decides over its named keys there: not a named key, and not one that was replaced while the
 * request was under way. Refuses with `invalid_api_key`, or organisation_disabled.
 */
const ensureOwnKey = (
  { universe, presentedKeyHash }: NamedKeyCommand,
  organisation: OrganisationState,
): CreatedOrganisation => {
  if (universe === 'production') return ensureCurrentProductionKey(presentedKeyHash, organisation);
  if (organisation.kind === 'absent' || organisation.sandboxKeyHash !== presentedKeyHash) {
    throw new DomainError('invalid_api_key', 'X-API-KEY is not the sandbox key of an organisation');
  }
  if (organisation.disabled !== null) throw organisationIsDisabled(organisation.orgName);
  return organisation;
};

/**
 * Only the current production key may change an organisation's keys: not one that was replaced while the request was under way. Refuses
 * with `invalid_api_key`, or organisation_disabled.
 */
const ensureCurrentProductionKey = (presentedKeyHash: string, organisation: OrganisationState): CreatedOrganisation => {
  if (organisation.kind === 'absent' || organisation.productionKeyHash !== presentedKeyHash) {
    throw new DomainError('invalid_api_key', 'X-API-KEY is not the production key of an organisation');
  }
  if (organisation.disabled !== null) throw organisationIsDisabled(organisation.orgName);
  return organisation;
};

/** Keys are 256 random bits, so an equal key was copied instead of generated: a fault of the program, not a refusal. */
const ensureNewKey = (keyHash: string, { productionKeyHash, sandboxKeyHash, namedKeys }: CreatedOrganisation): void => {
  const hashes = [productionKeyHash, sandboxKeyHash, ...namedKeys.map((key) => key.keyHash)];
  if (hashes.includes(keyHash)) {
    throw new Error('a new key of an organisation is the same as one that it has');
  }
};
