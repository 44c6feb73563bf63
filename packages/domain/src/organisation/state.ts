import type { OrganisationEvent, OwnLimits } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { allRevoked, evolveNamedKeys, type NamedKey } from './named-keys.ts';

export type OrganisationState =
  | { kind: 'absent' }
  | {
      kind: 'created';
      orgId: string;
      orgName: string;
      productionKeyHash: string;
      /** Null after it was revoked. */
      sandboxKeyHash: string | null;
      disabled: { reason: string; disabledAt: string } | null;
      /** Its further keys, oldest first, with those that were revoked. */
      namedKeys: readonly NamedKey[];
      /** As the operator set them last; null if nothing was set. */
      limits: OwnLimits | null;
    };

export type CreatedOrganisation = Extract<OrganisationState, { kind: 'created' }>;

export function evolveOrganisation(state: OrganisationState, event: OrganisationEvent): OrganisationState {
  switch (event.type) {
    case 'OrganisationCreated': {
      const { orgId, orgName, productionKeyHash, sandboxKeyHash } = event.data;
      return {
        kind: 'created',
        orgId,
        orgName,
        productionKeyHash,
        sandboxKeyHash,
        disabled: null,
        namedKeys: [],
        limits: null,
      };
    }
    case 'SandboxKeyIssued':
      return { ...ensureCreated(state, event.type), sandboxKeyHash: event.data.sandboxKeyHash };
    case 'SandboxKeyRevoked':
      return { ...ensureCreated(state, event.type), sandboxKeyHash: null };
    case 'ProductionKeyReplaced':
      return { ...ensureCreated(state, event.type), productionKeyHash: event.data.productionKeyHash };
    case 'OrganisationDisabled': {
      const { reason, disabledAt } = event.data;
      return { ...ensureCreated(state, event.type), disabled: { reason, disabledAt } };
    }
    case 'OrganisationEnabled':
      return { ...ensureCreated(state, event.type), disabled: null };
    case 'OrganisationKeysReissued': {
      const { productionKeyHash, sandboxKeyHash, reissuedAt } = event.data;
      const organisation = ensureCreated(state, event.type);
      const namedKeys = allRevoked(organisation.namedKeys, reissuedAt);
      return { ...organisation, productionKeyHash, sandboxKeyHash, namedKeys };
    }
    case 'OrganisationKeyCreated':
    case 'OrganisationKeyReplaced':
    case 'OrganisationKeyRevoked': {
      const organisation = ensureCreated(state, event.type);
      return { ...organisation, namedKeys: evolveNamedKeys(organisation.namedKeys, event) };
    }
    case 'OrganisationLimitsSet': {
      const { callsPerDay, registrationsPerDay, readsPerDay } = event.data;
      return { ...ensureCreated(state, event.type), limits: { callsPerDay, registrationsPerDay, readsPerDay } };
    }
    default:
      return unreachable(event);
  }
}

const ensureCreated = (state: OrganisationState, eventType: string): CreatedOrganisation => {
  if (state.kind === 'absent') throw new Error(`${eventType} stands before OrganisationCreated in its stream`);
  return state;
};

const orgIdChars = 32;

/** The form in which organisation names are compared: NFKC, lower case, trimmed. Idempotent. */
export function normaliseOrgName(name: string): string {
  // Lower case can undo NFKC, and NFKC can turn another character into a space, so both run again last.
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/**
 * The id of an organisation: the first 128 bits of the SHA-256 of its normalised name. Names that differ only in case or width have one
 * id, so the organisation's stream makes names unique.
 *
 * @param sha256Hex the hash of a text's UTF-8 bytes, as lower-case hexadecimal digits
 */
export function orgIdOfName(orgName: string, sha256Hex: (text: string) => string): string {
  return sha256Hex(normaliseOrgName(orgName)).slice(0, orgIdChars);
}
