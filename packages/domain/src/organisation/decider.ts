import type { OrganisationEvent } from '@agent-trust/contracts';
import type { Decider } from '../decider.ts';
import { type CreateOrganisation, createOrganisation } from './create/decide.ts';
import { evolveOrganisation, type OrganisationState } from './state.ts';

export type OrganisationCommand = CreateOrganisation;

/** The rules of an organisation's stream (`organisationStream(orgId)`). */
export const organisationDecider: Decider<OrganisationCommand, OrganisationState, OrganisationEvent> = {
  initialState: { kind: 'absent' },
  evolve: evolveOrganisation,
  decide: createOrganisation,
};
