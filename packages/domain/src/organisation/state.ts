import type { OrganisationEvent } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

export type OrganisationState =
  | { kind: 'absent' }
  | { kind: 'created'; orgId: string; orgName: string; productionKeyHash: string; sandboxKeyHash: string };

export const evolveOrganisation = (_state: OrganisationState, event: OrganisationEvent): OrganisationState => {
  switch (event.type) {
    case 'OrganisationCreated': {
      const { orgId, orgName, productionKeyHash, sandboxKeyHash } = event.data;
      return { kind: 'created', orgId, orgName, productionKeyHash, sandboxKeyHash };
    }
    default:
      return unreachable(event.type);
  }
};
