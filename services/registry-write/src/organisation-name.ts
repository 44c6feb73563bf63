import type { OrganisationState } from '@agent-trust/domain';

/** The canonical name of an organisation that a command has just written to. */
export function orgNameOf(organisation: OrganisationState): string {
  if (organisation.kind === 'absent') throw new Error('an organisation does not exist after a command wrote to it');
  return organisation.orgName;
}
