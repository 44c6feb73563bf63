import type { OrganisationEvent } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

export type OrganisationState =
  | { kind: 'absent' }
  | {
      kind: 'created';
      orgId: string;
      orgName: string;
      productionKeyHash: string;
      /** Null after it was revoked. */
      sandboxKeyHash: string | null;
    };

export type CreatedOrganisation = Extract<OrganisationState, { kind: 'created' }>;

/** What an organisation is after one more event of its stream. */
export function evolveOrganisation(state: OrganisationState, event: OrganisationEvent): OrganisationState {
  switch (event.type) {
    case 'OrganisationCreated': {
      const { orgId, orgName, productionKeyHash, sandboxKeyHash } = event.data;
      return { kind: 'created', orgId, orgName, productionKeyHash, sandboxKeyHash };
    }
    case 'SandboxKeyIssued':
      return { ...ensureCreated(state, event.type), sandboxKeyHash: event.data.sandboxKeyHash };
    case 'SandboxKeyRevoked':
      return { ...ensureCreated(state, event.type), sandboxKeyHash: null };
    case 'ProductionKeyReplaced':
      return { ...ensureCreated(state, event.type), productionKeyHash: event.data.productionKeyHash };
    default:
      return unreachable(event);
  }
}

const ensureCreated = (state: OrganisationState, eventType: string): CreatedOrganisation => {
  if (state.kind === 'absent') throw new Error(`${eventType} stands before OrganisationCreated in its stream`);
  return state;
};
