import { DomainError, type OrganisationCreated } from '@agent-trust/contracts';
import type { OrganisationState } from '../state.ts';

/** `orgId` is `orgIdOfName(orgName)`; `now` is RFC 3339. Only hashes of the keys get here. */
export type CreateOrganisation = {
  type: 'CreateOrganisation';
  orgId: string;
  orgName: string;
  contactEmail: string;
  productionKeyHash: string;
  sandboxKeyHash: string;
  now: string;
};

/** Creates an organisation. Refusal: org_name_taken (compared without case or width). */
export function createOrganisation(command: CreateOrganisation, state: OrganisationState): OrganisationCreated[] {
  if (state.kind === 'created') {
    throw new DomainError('org_name_taken', `org_name ${JSON.stringify(command.orgName)} is taken`);
  }
  return [
    {
      type: 'OrganisationCreated',
      data: {
        orgId: command.orgId,
        orgName: command.orgName.trim(),
        contactEmail: command.contactEmail,
        productionKeyHash: command.productionKeyHash,
        sandboxKeyHash: command.sandboxKeyHash,
        createdAt: command.now,
      },
    },
  ];
}
