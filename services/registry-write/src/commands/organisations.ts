import { createHash } from 'node:crypto';
import { organisationStream } from '@agent-trust/contracts';
import { type CreatedOrganisation, type OrganisationState, orgIdOfName } from '@agent-trust/domain';
import { type CommandDeps, type CommandHandlers, readState, runSingle } from '../run-command.ts';
import { organisationStreams } from '../stream-kinds.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'createOrganisation'
  | 'issueSandboxKey'
  | 'revokeSandboxKey'
  | 'replaceProductionKey'
  | 'disableOrganisation'
  | 'enableOrganisation'
  | 'reissueOrganisationKeys'
>;

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Commands to an organisation's stream: exactly one of many concurrent ones succeeds. */
export function organisationCommands(deps: CommandDeps): Handlers {
  return {
    createOrganisation: async ({ actor, ...input }, context) => {
      // The id comes from the name, so the stream makes the name unique.
      const orgId = orgIdOfName(input.orgName, sha256Hex);
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'CreateOrganisation', orgId, now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgId, orgName: orgNameOf(state), createdAt: now, position };
    },
    issueSandboxKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'IssueSandboxKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), createdAt: now, position };
    },
    revokeSandboxKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'RevokeSandboxKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), revokedAt: now, position };
    },
    replaceProductionKey: async ({ actor, orgId, ...input }, context) => {
      const stream = organisationStream(orgId);
      const command = (now: string) => ({ ...input, type: 'ReplaceProductionKey', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      return { orgName: orgNameOf(state), replacedAt: now, position };
    },
    disableOrganisation: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'DisableOrganisation', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName, disabled } = created(state);
      if (disabled === null) throw new Error('an organisation is in service after a command disabled it');
      return { orgId, orgName, ...disabled, position };
    },
    enableOrganisation: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'EnableOrganisation', now }) as const;
      const { state, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName } = created(state);
      return { orgId, orgName, position };
    },
    reissueOrganisationKeys: async ({ actor, ...input }, context) => {
      const stream = await streamOf(deps, input.organisation);
      const command = (now: string) => ({ ...input, type: 'ReissueOrganisationKeys', now }) as const;
      const { state, now, position } = await runSingle(deps, { actor, context }, organisationStreams, stream, command);
      const { orgId, orgName } = created(state);
      return { orgId, orgName, reissuedAt: now, position };
    },
  };
}

/** The stream of an organisation by its id, or else by its name. */
const streamOf = async (deps: CommandDeps, organisation: string): Promise<string> => {
  const byId = organisationStream(organisation);
  const state = await readState(deps.log, organisationStreams, byId);
  return state.kind === 'created' ? byId : organisationStream(orgIdOfName(organisation, sha256Hex));
};

const created = (organisation: OrganisationState): CreatedOrganisation => {
  if (organisation.kind === 'absent') throw new Error('an organisation does not exist after a command wrote to it');
  return organisation;
};

const orgNameOf = (organisation: OrganisationState): string => created(organisation).orgName;
