import { production, type RegistrationCredential, type Universe } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';

/** What the credential of a registration makes of the new agent. */
export type Standing = { universe: Universe; orgId: string | null; orgName: string | null; verified: boolean };

/** The key picks the universe and its organisation's canonical name; the admin's word is taken as given. */
export function standingOfCredential(credential: RegistrationCredential, orgNameSent: string | null): Standing {
  switch (credential.kind) {
    case 'organisation':
      return {
        universe: credential.universe,
        orgId: credential.orgId,
        orgName: credential.orgName,
        verified: true,
      };
    case 'admin':
      return { universe: production, orgId: null, orgName: orgNameSent, verified: credential.verified };
    case 'none':
      return { universe: production, orgId: null, orgName: null, verified: false };
    default:
      return unreachable(credential);
  }
}
