import type { OrganisationEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import { type CreateOrganisation, createOrganisation } from './create/decide.ts';
import { type ReplaceProductionKey, replaceProductionKey } from './production-key/replace.ts';
import { type IssueSandboxKey, issueSandboxKey } from './sandbox-key/issue.ts';
import { type RevokeSandboxKey, revokeSandboxKey } from './sandbox-key/revoke.ts';
import { evolveOrganisation, type OrganisationState } from './state.ts';

export type OrganisationCommand = CreateOrganisation | IssueSandboxKey | RevokeSandboxKey | ReplaceProductionKey;

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
      default:
        return unreachable(command);
    }
  },
};
